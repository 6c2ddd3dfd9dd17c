import type { PublicKey, ReceiptCheck } from '#contracts';
import type { VerifyWith } from '../src/core/check-file.js';
import { keyId, rawPublicKey } from '../src/core/public-key.js';
import { conclusionOf, renderChecks, standingOf, type Standing } from '../src/core/render-checks.js';

interface Verifier {
  readonly verifyText: (file: unknown, use: VerifyWith) => Promise<readonly ReceiptCheck[]>;
}

interface Asked {
  readonly files: readonly string[];
  readonly trust: readonly string[];
  readonly hmacKey: string | undefined;
  readonly isJson: boolean;
}

const USAGE = 'Usage: node countersign-verify.mjs FILE [--trust FINGERPRINT|KEY|KEYS.json]… [--hmac-key KEY] [--json]\n';
const EXIT_CODES: Readonly<Record<Standing, number>> = { valid: 0, broken: 1, unpinned: 3, unproved: 3 };

/** False where a module was only imported. */
export async function isStartedByItself(moduleUrl: string): Promise<boolean> {
  if (typeof process === 'undefined' || process.argv[1] === undefined) return false;
  const { existsSync, realpathSync } = await import('node:fs');
  const { pathToFileURL } = await import('node:url');
  return existsSync(process.argv[1]) && pathToFileURL(realpathSync(process.argv[1])).href === moduleUrl;
}

export async function answerCommand(args: readonly string[], { verifyText }: Verifier): Promise<number> {
  const asked = read(args);
  const [file, ...more] = asked?.files ?? [];
  if (!asked || file === undefined || more.length > 0) {
    process.stderr.write(USAGE);
    return 2;
  }
  const { readFileSync } = await import('node:fs');
  const keys = asked.trust.flatMap((text) => trustedKeys(text, (path) => readFileSync(path, 'utf8')));
  const use: VerifyWith = {
    ...(asked.hmacKey !== undefined && { hmacKey: asked.hmacKey }),
    ...(asked.trust.length > 0 && { keys }),
  };
  const checks = await verifyText(readFileSync(file, 'utf8'), use);
  const standing = standingOf(checks);
  process.stdout.write(
    asked.isJson ? `${JSON.stringify({ standing, conclusion: conclusionOf(checks), checks }, null, 2)}\n` : renderChecks(checks),
  );
  return EXIT_CODES[standing];
}

/** Undefined when it was not asked properly. */
function read(args: readonly string[]): Asked | undefined {
  const files: string[] = [];
  const trust: string[] = [];
  let hmacKey: string | undefined;
  let isJson = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const value = (): string | undefined => args[(at += 1)];
    if (word === '--json') isJson = true;
    else if (word === '--hmac-key') hmacKey = value();
    else if (word === '--trust' || word === '--key' || word === '--keys') trust.push(value() ?? '');
    else if (word.startsWith('-')) return undefined;
    else files.push(word);
  }
  return trust.includes('') ? undefined : { files, trust, hmacKey, isJson };
}

/** A public key by itself, or a file that lists some, as the server's list of keys. */
function trustedKeys(text: string, readText: (path: string) => string): readonly PublicKey[] {
  if (rawPublicKey(text)) return [{ id: keyId(text), algorithm: 'ed25519', publicKey: text }];
  const listed = JSON.parse(readText(text)) as readonly PublicKey[];
  return listed.map(({ publicKey }) => ({ id: keyId(publicKey), algorithm: 'ed25519', publicKey }));
}
