import { createHmac } from 'node:crypto';

/** RFC 6238 with what every authenticator knows: SHA-1, six digits, thirty seconds. */
const STEP_MS = 30_000;
const DIGITS = 6;
export const TOTP_SECRET_BYTES = 20;
/** Clocks of phones differ; one step to each side is the usual allowance. */
const WINDOW = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of one step of time. */
export function totpAt(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0x0f;
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

export function stepOf(now: number): number {
  return Math.floor(now / STEP_MS);
}

/** The step whose code this is, within the window and after the last one that was used; undefined: the code does not count. */
export function stepOfCode(secret: Buffer, code: string, now: number, usedStep: number): number | undefined {
  const given = code.replaceAll(/\s/g, '');
  const here = stepOf(now);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => here - WINDOW + index);
  // All are worked out, so that the time taken says nothing.
  const fits = steps.filter((step) => totpAt(secret, step) === given);
  return fits.find((step) => step > usedStep);
}

/** RFC 4648 without padding, as authenticators take it. */
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What the square code of an enrolment says. */
export function otpauthUrl(secret: Buffer, name: string): string {
  const label = `Countersign:${encodeURIComponent(name)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=Countersign&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1_000}`;
}
