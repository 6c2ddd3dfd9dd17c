import type { DsseEnvelope } from '#contracts';
import { checkCheckpoint, noteBody, noteKeyHash, type TreeHead } from './checkpoint.js';
import { checkEnvelope, PAYLOAD_TYPE, preAuthEncoding } from './dsse.js';
import { HERE, signBytes, type SigningKey } from './ed25519.js';
import { concat, toBase64, utf8 } from './primitives.js';
import { statementText, type StatementOf, type StatementTexts } from './statement.js';
import { settle } from './steps.js';

/** What the server signs, and the same checks where the answer is needed at once. */

export function signEnvelope(payload: string, key: SigningKey): DsseEnvelope {
  const body = utf8(payload);
  const sig = toBase64(signBytes(key, preAuthEncoding(PAYLOAD_TYPE, body)));
  return { payloadType: PAYLOAD_TYPE, payload: toBase64(body), signatures: [{ keyid: key.public.id, sig }] };
}

export function verifyEnvelope(envelope: DsseEnvelope, publicKey: string): boolean {
  return settle(checkEnvelope(envelope, publicKey), HERE) === true;
}

export function signStatement(of: StatementOf, key: SigningKey, texts?: StatementTexts): DsseEnvelope {
  return signEnvelope(statementText(of, texts), key);
}

/** A C2SP signed note over the tree head. The same head and key always give the same text. */
export function signCheckpoint(head: TreeHead, key: SigningKey): string {
  const body = noteBody(head);
  const hash = noteKeyHash(head.origin, key.public.publicKey);
  if (!hash) throw new Error('This key cannot sign a note');
  return `${body}\n\u2014 ${head.origin} ${toBase64(concat(hash, signBytes(key, utf8(body))))}\n`;
}

/** The tree head when the note is exactly one signed by this key, else undefined. */
export function openCheckpoint(note: string, publicKey: string): TreeHead | undefined {
  return settle(checkCheckpoint(note, publicKey), HERE) ?? undefined;
}
