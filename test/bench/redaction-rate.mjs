// MiB per second of one core through the streaming redactor, beside the floor of only decoding the same bytes.
import { Redactor } from '../../dist/server/libs/receipts/src/core/index.js';

const MIB = 1_048_576;
const TEXT_BYTES = 4 * MIB;
/** As much as a read from a pipe brings. */
const CHUNK_BYTES = 65_536;
const ROUNDS = 5;
const SECRETS = Array.from({ length: 20 }, (_, index) => `known-Secret-${index}-Zx9${index * 7_919}qq`);

/** What programs say, and what a redactor has to look at twice: every word of `anchors` could begin a secret, and none is one. */
const LINES = {
  clean: 'drwxr-xr-x 12 root root 4096 Nov 30 15:36 src/components/list.ts: const value = compute(input, options);\n',
  code: 'const token = await getToken(options); // see https://example.com/docs\nlogin(name: string, password: string): Promise<void>;\n',
  anchors: 'token password secret bearer https://x/y credential api_key eyJx sk-x npm_x pwd auth_key passphrase xoxb-1\n',
};

export function measureRedaction() {
  const redactor = new Redactor(SECRETS);
  return Object.entries(LINES).map(([name, line]) => {
    const bytes = Buffer.from(line.repeat(Math.ceil(TEXT_BYTES / line.length)));
    const rounds = Array.from({ length: ROUNDS }, () => ({ floor: pass(bytes), own: pass(bytes, redactor.stream()) }));
    const floor = Math.min(...rounds.map((round) => round.floor));
    const own = Math.min(...rounds.map((round) => round.own));
    return { name, mibPerSecond: bytes.length / MIB / (own / 1_000), ratio: own / floor };
  });
}

/** Processor time of decoding, and of redacting where a stream is given. */
function pass(bytes, stream) {
  const decoder = new TextDecoder();
  const start = process.cpuUsage();
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const text = decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true });
    stream?.push(text);
  }
  stream?.flush();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
