import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { preAuthEncoding } from './dsse.js';
import { newSigningKeyText, signingKey } from './ed25519.js';
import { keyId } from './public-key.js';
import { openCheckpoint, signCheckpoint, signEnvelope, verifyEnvelope } from './signed.js';

/** Key of RFC 8032, test 1. */
const KEY = signingKey('MC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g');
const OTHER = signingKey(newSigningKeyText());

describe('keys', () => {
  it('derives the public key and its id', () => {
    expect(Buffer.from(KEY.public.publicKey, 'base64').subarray(-32).toString('hex')).toBe(
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    );
    expect(KEY.public.id).toMatch(/^[0-9a-f]{16}$/);
    expect(keyId(KEY.public.publicKey)).toBe(KEY.public.id);
    expect(OTHER.public.id).not.toBe(KEY.public.id);
  });
});

describe('DSSE envelope', () => {
  const payload = '{"_type":"https://in-toto.io/Statement/v1","ü":"x"}';
  const envelope = signEnvelope(payload, KEY);

  it('encodes as the specification says', () => {
    expect(preAuthEncoding('http://example.com/HelloWorld', Buffer.from('hello world')).toString()).toBe(
      'DSSEv1 29 http://example.com/HelloWorld 11 hello world',
    );
  });

  it('is valid for its key and its payload only', () => {
    expect(verifyEnvelope(envelope, KEY.public.publicKey)).toBe(true);
    expect(verifyEnvelope(envelope, OTHER.public.publicKey)).toBe(false);
    expect(verifyEnvelope({ ...envelope, payload: Buffer.from('{}').toString('base64') }, KEY.public.publicKey)).toBe(false);
    expect(verifyEnvelope({ ...envelope, signatures: [...envelope.signatures, ...envelope.signatures] }, KEY.public.publicKey)).toBe(false);
    expect(verifyEnvelope({ ...envelope, signatures: [] }, KEY.public.publicKey)).toBe(false);
    expect(verifyEnvelope(envelope, 'bm8ga2V5')).toBe(false);
    const [signature] = envelope.signatures;
    expect(verifyEnvelope({ ...envelope, signatures: [{ keyid: 'x', sig: `${signature?.sig ?? ''}\n` }] }, KEY.public.publicKey)).toBe(
      false,
    );
  });

  it('is accepted by OpenSSL', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-dsse-'));
    try {
      const der = join(folder, 'key.der');
      const data = join(folder, 'data');
      const sig = join(folder, 'sig');
      writeFileSync(der, Buffer.from(KEY.public.publicKey, 'base64'));
      writeFileSync(data, preAuthEncoding(envelope.payloadType, Buffer.from(payload)));
      writeFileSync(sig, Buffer.from(envelope.signatures[0]?.sig ?? '', 'base64'));
      const args = ['pkeyutl', '-verify', '-pubin', '-keyform', 'DER', '-inkey', der, '-rawin', '-in', data, '-sigfile', sig];
      const { status, error } = spawnSync('openssl', args);
      expect(error ? 0 : status).toBe(0); // where there is no OpenSSL, node:crypto has the word alone
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('checkpoint', () => {
  const head = { origin: 'countersign/ledger/abc', size: 7, rootHash: 'ab'.repeat(32) };
  const note = signCheckpoint(head, KEY);

  it('is a signed note in the form of C2SP', () => {
    const root = Buffer.from(head.rootHash, 'hex').toString('base64');
    expect(note).toMatch(/^[^\n]+\n7\n[^\n]+\n\n\u2014 countersign\/ledger\/abc [A-Za-z0-9+/=]+\n$/);
    expect(note.split('\n').slice(0, 3)).toEqual([head.origin, '7', root]);
    expect(signCheckpoint(head, KEY)).toBe(note);
  });

  it('opens with its key, and with any byte changed it does not', () => {
    expect(openCheckpoint(note, KEY.public.publicKey)).toEqual(head);
    expect(openCheckpoint(note, OTHER.public.publicKey)).toBeUndefined();
    for (let at = 0; at < note.length; at += 1) {
      const changed = note.slice(0, at) + (note[at] === 'A' ? 'B' : 'A') + note.slice(at + 1);
      expect(openCheckpoint(changed, KEY.public.publicKey)).toBeUndefined();
    }
  });
});
