import type { PublicKey, ReceiptCheck } from '#contracts';
import type { BundleReport } from '../src/core/check-bundle.js';
import type { VerifyWith } from '../src/core/check-file.js';
import { keyId, rawPublicKey } from '../src/core/public-key.js';
import { conclusionOf, renderChecks, renderProblems, standingOf, type Standing } from '../src/core/render-checks.js';

interface Verifier {
  readonly verifyText: (file: unknown, use: VerifyWith) => Promise<readonly ReceiptCheck[]>;
  readonly verifyBundle: (size: number, read: (offset: number, length: number) => Uint8Array, use: VerifyWith) => Promise<BundleReport>;
}

interface Asked {
  readonly file: string;
  readonly trust: readonly string[];
  readonly hmacKeys: readonly string[];
  readonly isJson: boolean;
}

type NodeFiles = typeof import('node:fs');

const USAGE = 'Usage: node countersign-verify.mjs FILE [--trust FINGERPRINT|KEY|KEYS.json]… [--hmac-key KEY]… [--json]\n';
const EXIT_CODES: Readonly<Record<Standing, number>> = { valid: 0, broken: 1, unpinned: 3, unproved: 3 };
const BAD_ASK = 2;
const WINDOW = 1_048_576;
const FINGERPRINT = /^[0-9a-f]{64}$/i;
/** How a zip archive begins. */
const ARCHIVE = 'PK\u0003\u0004';

/** False where a module was only imported. */
export async function isStartedByItself(moduleUrl: string): Promise<boolean> {
  if (typeof process === 'undefined' || process.argv[1] === undefined) return false;
  const { existsSync, realpathSync } = await import('node:fs');
  const { pathToFileURL } = await import('node:url');
  return existsSync(process.argv[1]) && pathToFileURL(realpathSync(process.argv[1])).href === moduleUrl;
}

export async function answerCommand(args: readonly string[], verifier: Verifier): Promise<number> {
  const asked = read(args);
  if (!asked) return refuse(USAGE);
  const files = await import('node:fs');
  let use: VerifyWith;
  try {
    use = toUse(asked, files);
  } catch (error) {
    return refuse(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  return look(asked, use, verifier, files);
}

function refuse(text: string): number {
  process.stderr.write(text);
  return BAD_ASK;
}

async function look({ file, isJson }: Asked, use: VerifyWith, { verifyText, verifyBundle }: Verifier, files: NodeFiles): Promise<number> {
  const { openSync, fstatSync, readSync, closeSync, readFileSync } = files;
  const descriptor = openSync(file, 'r');
  try {
    const readBytes = inWindows((bytes, offset) => {
      let done = 0;
      for (let got = -1; got !== 0 && done < bytes.length; done += got)
        got = readSync(descriptor, bytes, done, bytes.length - done, offset + done);
      return done;
    });
    if (Buffer.from(readBytes(0, ARCHIVE.length)).toString('latin1') !== ARCHIVE && !file.endsWith('.zip')) {
      return tell(await verifyText(readFileSync(descriptor, 'utf8'), use), isJson);
    }
    const { checks, problems, signer } = await verifyBundle(fstatSync(descriptor).size, readBytes, use);
    return tell(checks, isJson, { problems, signer });
  } finally {
    closeSync(descriptor);
  }
}

/** Reads a stretch at a time, since what is asked for next mostly stands right behind. */
function inWindows(fill: (bytes: Uint8Array, offset: number) => number): (offset: number, length: number) => Uint8Array {
  let window = new Uint8Array();
  let start = 0;
  return (offset, length) => {
    if (offset < start || offset + length > start + window.length) {
      const bytes = new Uint8Array(Math.max(length, WINDOW));
      window = bytes.subarray(0, fill(bytes, offset));
      start = offset;
    }
    return window.subarray(offset - start, offset - start + length);
  };
}

function tell(checks: readonly ReceiptCheck[], isJson: boolean, { problems, signer }: Partial<BundleReport> = {}): number {
  const standing = standingOf(checks);
  const more = { ...(problems && { problems }), ...(signer && { signer }) };
  process.stdout.write(
    isJson
      ? `${JSON.stringify({ standing, conclusion: conclusionOf(checks), checks, ...more }, null, 2)}\n`
      : `${renderChecks(checks)}${renderProblems(problems ?? [])}`,
  );
  return EXIT_CODES[standing];
}

/** Undefined when it was not asked properly. */
function read(args: readonly string[]): Asked | undefined {
  const named: string[] = [];
  const trust: string[] = [];
  const hmacKeys: string[] = [];
  let isJson = false;
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    const value = (): string => args[(at += 1)] ?? '';
    if (word === '--json') isJson = true;
    else if (word === '--hmac-key') hmacKeys.push(value());
    else if (word === '--trust' || word === '--key' || word === '--keys') trust.push(value());
    else if (word.startsWith('-')) return undefined;
    else named.push(word);
  }
  const [file, ...more] = named;
  return file === undefined || more.length > 0 || [...trust, ...hmacKeys].includes('') ? undefined : { file, trust, hmacKeys, isJson };
}

function toUse({ trust, hmacKeys }: Asked, { readFileSync }: NodeFiles): VerifyWith {
  const fingerprints = trust.filter((text) => FINGERPRINT.test(text)).map((text) => text.toLowerCase());
  const keys = trust.filter((text) => !FINGERPRINT.test(text)).flatMap((text) => trustedKeys(text, (path) => readFileSync(path, 'utf8')));
  return {
    ...(hmacKeys.length === 1 && hmacKeys[0] !== undefined && { hmacKey: hmacKeys[0] }),
    ...(hmacKeys.length > 1 && { hmacKey: hmacKeys }),
    ...(trust.length > 0 && { keys, fingerprints }),
  };
}

/** A public key by itself, or a file that lists some, as the server's list of keys. */
function trustedKeys(text: string, readText: (path: string) => string): readonly PublicKey[] {
  if (rawPublicKey(text)) return [{ id: keyId(text), algorithm: 'ed25519', publicKey: text }];
  let listed: unknown;
  try {
    listed = JSON.parse(readText(text));
  } catch {
    throw new Error(`${text} is no fingerprint (64 hex digits), no public key and no file that lists keys`);
  }
  const keys = Array.isArray(listed) ? (listed as readonly PublicKey[]) : [];
  if (keys.length === 0 || keys.some(({ id, publicKey }) => keyId(publicKey) !== id)) throw new Error(`${text} does not list public keys`);
  return keys;
}
