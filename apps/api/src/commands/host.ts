import { HostPackages, RelayConfig } from '#relay';

/** Brings the agent host that this version drives, exactly as its lock says. */
export async function host([word]: readonly string[]): Promise<number> {
  if (word !== 'install') {
    process.stderr.write('Usage: countersign host install\n');
    return 2;
  }
  const packages = new HostPackages(RelayConfig.read());
  const { version, folder } = packages.view;
  const isNew = await packages.install(({ seconds, packages: count, ofPackages }) => {
    process.stdout.write(`  ${String(count)} of ${String(ofPackages)} packages, ${String(seconds)} s\n`);
  });
  process.stdout.write(`Agent host ${version} ${isNew ? 'is installed' : 'was installed already'} in ${folder}\n`);
  return 0;
}
