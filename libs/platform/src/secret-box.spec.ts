import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { engines } from '../../../test/support/engines.js';
import { openSecretBox, readMasterKey } from './adapters/master-key.js';
import { SecretBox } from './secret-box.js';
import { ConfigError, StartError } from './start-error.js';

describe('SecretBox', () => {
  const box = new SecretBox(Buffer.alloc(32, 7));

  it('opens what it sealed, and seals nothing the same way twice', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (plain) => {
        const sealed = box.seal(plain);
        expect(box.open(sealed)).toBe(plain.toWellFormed());
        expect(box.seal(plain)).not.toBe(sealed);
      }),
    );
  });

  it('opens nothing that was changed or sealed with another key', () => {
    const sealed = box.seal('secret');
    fc.assert(
      fc.property(fc.nat({ max: sealed.length - 4 }), fc.constantFrom('A', 'b', '0', '.'), (at, letter) => {
        const changed = `${sealed.slice(0, at + 3)}${letter}${sealed.slice(at + 4)}`;
        if (Buffer.from(changed.slice(3), 'base64url').equals(Buffer.from(sealed.slice(3), 'base64url'))) return;
        expect(() => box.open(changed)).toThrow();
      }),
    );
    expect(() => new SecretBox(Buffer.alloc(32, 8)).open(sealed)).toThrow();
    for (const text of ['', 'v1.', 'v2.abc', 'hello']) expect(() => box.open(text)).toThrow('Not a sealed secret');
  });

  it('derives one key of 32 bytes for each label', () => {
    expect(box.derive('a')).toHaveLength(32);
    expect(box.derive('a')).toEqual(box.derive('a'));
    expect(box.derive('a')).not.toEqual(box.derive('b'));
  });
});

describe('the master key', () => {
  let dataDir: string;
  const file = () => join(dataDir, 'secret.key');
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'countersign-key-'));
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  it('is made once, for its user only, and read from then on', () => {
    const key = readMasterKey(dataDir, undefined);
    expect(key).toHaveLength(32);
    expect(readMasterKey(dataDir, undefined)).toEqual(key);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
  });

  it.each(['hex', 'base64', 'base64url'] as const)('may be given as %s, and then no file is made', (encoding) => {
    const key = randomBytes(32);
    expect(readMasterKey(dataDir, key.toString(encoding))).toEqual(key);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it.each(['short', 'x'.repeat(64), Buffer.alloc(31).toString('base64')])('is refused when the setting is not 32 bytes', (text) => {
    expect(() => readMasterKey(dataDir, text)).toThrow(ConfigError);
    expect(() => readMasterKey(dataDir, text)).toThrow(/^COUNTERSIGN_SECRET_KEY must/);
  });

  it('is refused when others may read it or it has the wrong length', () => {
    readMasterKey(dataDir, undefined);
    chmodSync(file(), 0o640);
    expect(() => readMasterKey(dataDir, undefined)).toThrow(/chmod 600/);
    chmodSync(file(), 0o600);
    writeFileSync(file(), readFileSync(file(), 'utf8').slice(4));
    expect(() => readMasterKey(dataDir, undefined)).toThrow(StartError);
  });

  it.each(engines)('does not start on another key than the one a %s database was set up with', async (_name, open) => {
    const db = await open();
    const key = randomBytes(32);
    const sealed = (await openSecretBox(key, db)).seal('secret');
    expect((await openSecretBox(key, db)).open(sealed)).toBe('secret');
    await expect(openSecretBox(randomBytes(32), db)).rejects.toThrow(/not the one that this database was set up with/);
    await db.destroy();
  });
});
