import { MODES, RECEIPT_STATUSES, RISKS, type Receipt10 } from '#contracts';
import { hmacSha256, sha256Hex, toHex } from './primitives.js';
import { exactly, list, object, oneOf, orNull, text, truth, whole } from './shape.js';

/** What a caller knows of a 1.0 receipt; the rest follows from it. */
export type Receipt10Body = Omit<Receipt10, 'schema_version' | 'id' | 'command_sha256' | 'signature'>;

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const HEX_64 = /^[0-9a-f]{64}$/;
export const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|\+00:00)$/;

/** The frozen 1.0 schema: exactly these fields. */
export const receipt10Shape = object({
  schema_version: exactly('1.0'),
  id: text(UUID),
  plan_id: text(UUID),
  session_id: text(UUID),
  command: text(),
  command_sha256: text(HEX_64),
  cwd: text(),
  mode: oneOf(MODES),
  risk: oneOf(RISKS),
  approved: truth,
  policy: object({ allowed: truth, risk: oneOf(RISKS), requires_approval: truth, reasons: list(text()), argv: list(text()) }),
  status: oneOf(RECEIPT_STATUSES),
  started_at: text(ISO_TIME),
  finished_at: text(ISO_TIME),
  duration_ms: whole,
  exit_code: orNull(whole),
  signal: orNull(whole),
  stdout: text(),
  stderr: text(),
  output_truncated: truth,
  'sharing_redacted?': exactly(true),
  signature: text(HEX_64),
});

/** Names a key of 1.0 signatures without telling it. */
export function hmacKeyId(key: string): string {
  return sha256Hex(`countersign hmac key ${key}`).slice(0, 16);
}

export function signReceipt10(id: string, body: Receipt10Body, key: string | Uint8Array): Receipt10 {
  const unsigned = { schema_version: '1.0' as const, id, command_sha256: sha256Hex(body.command), ...body };
  return { ...unsigned, signature: hmac(unsigned, key) };
}

export function verifyReceipt10({ signature, ...unsigned }: Receipt10, key: string | Uint8Array): boolean {
  return signature === hmac(unsigned, key);
}

/** Hex. Only files that the caller holds are compared with it, so it need not take the same time for all of them. */
function hmac(unsigned: Omit<Receipt10, 'signature'>, key: string | Uint8Array): string {
  return toHex(hmacSha256(key, sortedAsciiJson(unsigned)));
}

/** Sorted keys, compact separators, everything outside printable ASCII escaped: what the 1.0 signature covers. */
export function sortedAsciiJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedAsciiJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([key, item]) => `${asciiString(key)}:${sortedAsciiJson(item)}`).join(',')}}`;
  }
  return typeof value === 'string' ? asciiString(value) : JSON.stringify(value);
}

function asciiString(value: string): string {
  return JSON.stringify(value).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
