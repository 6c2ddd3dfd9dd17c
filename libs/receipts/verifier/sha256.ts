/** SHA-256 and its HMAC by the book (FIPS 180-4, RFC 2104), for where no other is at hand. */

const BLOCK = 64;
const START = rootConstants(8, 2);
const ROUND = rootConstants(64, 3);

export function sha256Plain(bytes: Uint8Array): Uint8Array {
  const length = bytes.length;
  const padded = new Uint8Array(Math.ceil((length + 9) / BLOCK) * BLOCK);
  padded.set(bytes);
  padded[length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(length / 0x20000000));
  view.setUint32(padded.length - 4, (length << 3) >>> 0);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(BLOCK);
  for (let at = 0; at < padded.length; at += BLOCK) compress(state, words, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, index) => {
    digest.setUint32(index * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

export function hmacPlain(key: Uint8Array, data: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256Plain(key) : key);
  const keyed = (pad: number, rest: Uint8Array): Uint8Array => {
    const whole = new Uint8Array(BLOCK + rest.length);
    whole.set(block.map((byte) => byte ^ pad));
    whole.set(rest, BLOCK);
    return sha256Plain(whole);
  };
  return keyed(0x5c, keyed(0x36, data));
}

function compress(state: Uint32Array, words: Uint32Array, view: DataView, at: number): void {
  const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
  const word = (index: number): number => words[index] ?? 0;
  for (let index = 0; index < 16; index += 1) words[index] = view.getUint32(at + index * 4);
  for (let index = 16; index < BLOCK; index += 1) {
    const early = word(index - 15);
    const late = word(index - 2);
    const small0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const small1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[index] = word(index - 16) + small0 + word(index - 7) + small1;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < BLOCK; index += 1) {
    const big1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const first = (h + big1 + ((e & f) ^ (~e & g)) + (ROUND[index] ?? 0) + word(index)) | 0;
    const big0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const second = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((part, index) => {
    state[index] = (state[index] ?? 0) + part;
  });
}

/** The first 32 bits of the fractional parts of square or cube roots of primes. */
function rootConstants(count: number, root: number): readonly number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number += 1) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return primes.map((prime) => fraction32(BigInt(prime), root));
}

/** floor(frac(prime ** (1 / root)) * 2 ** 32), exactly. */
function fraction32(prime: bigint, root: number): number {
  const scaled = prime << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** BigInt(root) <= scaled) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}
