import { pathToFileURL } from 'node:url';
import { verifierPath } from '#receipts';

type RunCommand = (args: readonly string[]) => Promise<number>;

/** Checks receipts and bundles without a server or a network: the very verifier that is given out. */
export async function verify(args: readonly string[]): Promise<number> {
  const { runCommand } = (await import(pathToFileURL(await verifierPath()).href)) as { readonly runCommand: RunCommand };
  return runCommand(args);
}
