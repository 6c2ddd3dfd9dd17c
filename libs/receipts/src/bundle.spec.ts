import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { PublicKeyInfo, ReceiptId } from '#contracts';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, type ReceiptsApp } from '../../../test/support/receipts.js';
import { builtVerifier, type Verifier } from '../../../test/support/verifier.js';
import { MANIFEST, manifestLine, RECEIPTS, SIGNATURE } from './core/bundle-format.js';
import { HERE } from './core/ed25519.js';
import { checkBundle, type BundleReport } from './core/check-bundle.js';
import type { VerifyWith } from './core/check-file.js';
import { standingOf } from './core/render-checks.js';
import { settle } from './core/steps.js';
import { lookIntoZip, readEntry } from './core/zip-look.js';
import { ZipPacker, type ZipEntry } from './core/zip.js';
import { KeyChanges } from './key-changes.js';
import { Ledger } from './ledger.js';
import { ReceiptExports, type ExportForm, type ExportSelection } from './receipt-exports.js';
import { ReceiptKeys } from './receipt-keys.js';
import { Retention } from './retention.js';

const EXTRAS = { verifier: '// the verifier\n', schemas: [{ name: 'bundle-1.schema.json', text: '{}\n' }] };
const WHOLE: ExportForm = { isShared: false, reveal: [] };
const admin = aPrincipal({ scopes: ['admin', 'receipts:read'], roles: ['admin'] });

let app: ReceiptsApp;
let offline: Verifier;
let keys: readonly PublicKeyInfo[];
/** A stretch of the ledger over two rotations and a revocation. */
let bundle: Buffer;
let entries: readonly ZipEntry[];

beforeAll(async () => {
  offline = await builtVerifier();
  app = await bootReceipts();
  for (let turn = 0; turn < 4; turn += 1) await app.write(turn % 2 ? aRunDraft() : aDecisionDraft());
  await app.get(Ledger).keepCheckpoint();
  await rotate();
  await app.write(aRunDraft());
  await rotate();
  await app.write(aDecisionDraft());
  keys = app.get(ReceiptKeys).publicKeys;
  bundle = await exported();
  entries = entriesOf(bundle);
});
afterAll(() => app.close());

async function rotate(): Promise<void> {
  await app.get(KeyChanges).rotate(admin, 'ed25519');
}

async function exported(selection: ExportSelection = {}, form = WHOLE): Promise<Buffer> {
  const { bytes } = await app.get(ReceiptExports).bundle(aPrincipal(), selection, form, EXTRAS);
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

const reader =
  (bytes: Buffer) =>
  ({ offset, length }: { readonly offset: number; readonly length: number }): Uint8Array =>
    bytes.subarray(offset, offset + length);

function look(bytes: Buffer, use: VerifyWith = { keys }): BundleReport {
  return settle(checkBundle(bytes.length, use), { ...HERE, read: reader(bytes) });
}

function entriesOf(bytes: Buffer): readonly ZipEntry[] {
  const zip = settle(lookIntoZip(bytes.length), { ...HERE, read: reader(bytes) });
  if (!zip.ok) throw new Error(zip.detail);
  return zip.entries;
}

function contentOf(bytes: Buffer, entry: ZipEntry): Buffer {
  return Buffer.from(settle(readEntry(entry), { ...HERE, read: reader(bytes) }) ?? []);
}

type File = readonly [name: string, content: Buffer];

/** All files of a bundle, to write another from. */
function filesOf(bytes: Buffer): readonly File[] {
  return entriesOf(bytes).map((entry) => [entry.name, contentOf(bytes, entry)]);
}

function zipped(files: readonly File[]): Buffer {
  const zip = new ZipPacker();
  const parts = files.flatMap(([name, content]) => [...zip.add(name, content)]);
  return Buffer.concat([...parts, ...zip.end()]);
}

/** The same files with a manifest that lists them; only the signature is then wrong. */
function listedAnew(files: readonly File[]): readonly File[] {
  const listed = files.filter(([name]) => name !== MANIFEST && name !== SIGNATURE);
  const manifest = Buffer.from(listed.map(([name, content]) => manifestLine(name, content)).join(''));
  return [...listed, [MANIFEST, manifest], ...files.filter(([name]) => name === SIGNATURE)];
}

const namesIn = ({ problems, checks }: BundleReport): string =>
  [...problems, ...checks.filter(({ ok }) => ok === false)].map(({ name, detail }) => `${name} ${detail}`).join('\n');
const isBroken = (report: BundleReport): boolean => standingOf(report.checks) === 'broken';
const receiptNames = (): readonly string[] => entries.map(({ name }) => name).filter((name) => name.startsWith(RECEIPTS));

describe('a bundle', () => {
  it('holds, over changes of keys, and says exactly what it shows', () => {
    const report = look(bundle);
    expect(report.problems).toEqual([]);
    expect(report.checks.map(({ name, ok }) => [name, ok])).toEqual([
      ['archive', true],
      ['files', true],
      ['signature', true],
      ['checkpoint', true],
      ['keys', true],
      ['key', true],
      ['history', true],
      ['receipts', true],
      ['complete', true],
    ]);
    expect(standingOf(report.checks)).toBe('valid');
  });

  it('has the same bytes for the same content', async () => {
    expect((await exported()).equals(bundle)).toBe(true);
  });

  it('does not count as valid before a reader has named a key', () => {
    expect(standingOf(look(bundle, {}).checks)).toBe('unpinned');
    expect(standingOf(look(bundle, { fingerprints: ['ab'.repeat(32)] }).checks)).toBe('broken');
    const [first] = keys; // known before two rotations
    expect(standingOf(look(bundle, { keys: first ? [{ ...first, lastIndex: null }] : [] }).checks)).toBe('valid');
  });

  it('does not count as valid against what the reader knows of its keys, whatever it says of them itself', () => {
    const active = keys.at(-1) ?? fail();
    const earlier = keys.slice(0, -1);
    const keyCheck = (known: readonly PublicKeyInfo[]) => look(bundle, { keys: known }).checks.find(({ name }) => name === 'key');
    expect(keyCheck(keys)).toMatchObject({ ok: true });
    expect(keyCheck([...earlier, { ...active, lastIndex: 99, revokedIndex: 100 }])).toMatchObject({ ok: false, detail: /is revoked/ });
    expect(keyCheck([...earlier, { ...active, lastIndex: active.firstIndex }])).toMatchObject({ ok: false, detail: /may not sign/ });
    expect(keyCheck(earlier)).toMatchObject({ ok: false, detail: /does not follow/ });
  });

  it('is opened by a common tool', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-zip-'));
    try {
      writeFileSync(join(folder, 'b.zip'), bundle);
      const script = 'import sys,zipfile; z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None; print(len(z.namelist()))';
      const { stdout, stderr } = spawnSync('python3', ['-c', script, join(folder, 'b.zip')], { encoding: 'utf8' });
      expect([stdout.trim(), stderr]).toEqual([String(entries.length), '']);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('shows the same to the verifier that is given out', async () => {
    const read = (offset: number, length: number) => bundle.subarray(offset, offset + length);
    expect(await offline.verifyBundle(bundle.length, read, { keys })).toEqual(look(bundle));
    expect(await offline.verifyBlob(new Blob([new Uint8Array(bundle)]), { keys })).toEqual(look(bundle));
    const folder = mkdtempSync(join(tmpdir(), 'countersign-bundle-'));
    try {
      const [good, bad] = [join(folder, 'good.zip'), join(folder, 'bad.zip')];
      writeFileSync(good, bundle);
      const changed = Buffer.from(bundle);
      const place = entries.find(({ name }) => name === receiptNames()[2])?.offset ?? 0;
      changed[place + 400] = (changed[place + 400] ?? 0) ^ 1;
      writeFileSync(bad, changed);
      const run = (...args: readonly string[]) => spawnSync(process.execPath, [offline.path, ...args], { encoding: 'utf8' });
      const print = offline.fingerprintOf(keys.at(-1)?.publicKey ?? '');
      expect(run(good, '--trust', print)).toMatchObject({ status: 0, stdout: expect.stringMatching(/\nVALID/) as string });
      expect(run(good)).toMatchObject({ status: 3, stdout: expect.not.stringMatching(/^VALID/m) as string });
      expect(run(good, '--trust', 'abc')).toMatchObject({ status: 2 });
      const wrong = run(bad, '--trust', print);
      expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining(receiptNames()[2] ?? '-')]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('somebody who touches a bundle', () => {
  it('is found out at every single byte, and the file is named', () => {
    const spans = spansOf(bundle);
    fc.assert(
      fc.property(fc.nat({ max: bundle.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(bundle);
        changed[at] = (changed[at] ?? 0) ^ flip;
        const report = look(changed);
        expect(isBroken(report)).toBe(true);
        const touched = spans.find(({ end }) => at < end)?.name;
        expect(namesIn(report)).toContain(touched ?? ''); // behind the files there is the directory, of which any part may be named
      }),
      { numRuns: 400 },
    );
  });

  it('is found out at every byte of what surrounds the files', () => {
    const spans = spansOf(bundle);
    const around = [...Array(bundle.length).keys()].filter((at) => !spans.some(({ body, end }) => at >= body && at < end));
    fc.assert(
      fc.property(fc.constantFrom(...around), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(bundle);
        changed[at] = (changed[at] ?? 0) ^ flip;
        expect(isBroken(look(changed))).toBe(true);
      }),
      { numRuns: 400 },
    );
  });

  it('cannot leave a receipt out', () => {
    for (const gone of receiptNames()) {
      const files = filesOf(bundle).filter(([name]) => name !== gone);
      expect(namesIn(look(zipped(files)))).toContain(gone);
      const report = look(zipped(listedAnew(files)));
      expect([isBroken(report), namesIn(report)]).toEqual([true, expect.stringContaining('signature')]);
    }
    const middle = receiptNames()[1] ?? '';
    const report = look(zipped(listedAnew(filesOf(bundle).filter(([name]) => name !== middle))));
    expect(namesIn(report)).toContain('entry 1 is neither here nor deleted by a rule');
  });

  it('cannot move one, show one twice, or add one', () => {
    const files = [...filesOf(bundle)];
    const at = files.findIndex(([name]) => name.startsWith(RECEIPTS));
    const [one, two] = [files[at], files[at + 1]];
    if (!one || !two) throw new Error('There are too few receipts');
    const moved = [...files.slice(0, at), two, one, ...files.slice(at + 2)];
    for (const written of [zipped(moved), zipped(listedAnew(moved))]) {
      const report = look(written);
      expect([isBroken(report), [one[0], two[0]].some((name) => namesIn(report).includes(name))]).toEqual([true, true]);
    }
    const twice = [...files.slice(0, at), one, one, ...files.slice(at + 1)];
    expect(namesIn(look(zipped(twice)))).toContain(one[0]);
    const copy: File = [two[0].replace('.json', 'x.json'), two[1]];
    for (const written of [
      zipped([...files.slice(0, at), copy, ...files.slice(at)]),
      zipped(listedAnew([...files.slice(0, -2), copy, ...files.slice(-2)])),
    ])
      expect(namesIn(look(written))).toContain(copy[0]);
    const renamed: readonly File[] = files.map(([name, content], index) =>
      index === at ? [two[0], content] : index === at + 1 ? [one[0], content] : [name, content],
    );
    for (const written of [zipped(renamed), zipped(listedAnew(renamed))]) expect(namesIn(look(written))).toContain(one[0]);
  });

  it('cannot swap two keys', () => {
    const swap = (text: string): string => {
      const [a, b] = [keys[0]?.publicKey ?? '', keys[1]?.publicKey ?? ''];
      return text.replaceAll(a, '\0').replaceAll(b, a).replaceAll('\0', b);
    };
    const files = filesOf(bundle).map(([name, content]): File => [
      name,
      name === 'keys.json' ? Buffer.from(swap(content.toString())) : content,
    ]);
    for (const written of [zipped(files), zipped(listedAnew(files))]) {
      const report = look(written);
      expect([isBroken(report), namesIn(report)]).toEqual([true, expect.stringContaining('keys.json')]);
    }
    const [latest] = [...receiptNames()].reverse(); // signed by the third key, under a head of the third key
    for (const swapped of receiptNames().filter((name) => name !== latest)) {
      const other = filesOf(bundle).map(([name, content]): File => [
        name,
        name === swapped ? Buffer.from(swap(content.toString())) : content,
      ]);
      expect(namesIn(look(zipped(listedAnew(other))))).toContain(swapped);
    }
  });

  it('cannot hide bytes before, between, behind or in a comment', () => {
    const comment = Buffer.from(bundle);
    comment.writeUInt16LE(4, comment.length - 2);
    for (const written of [
      Buffer.concat([Buffer.from('x'), bundle]),
      Buffer.concat([bundle, Buffer.from('x')]),
      Buffer.concat([comment, Buffer.from('text')]),
      Buffer.concat([bundle, bundle]),
      Buffer.alloc(0),
      bundle.subarray(0, bundle.length - 1),
      bundle.subarray(1),
    ]) {
      expect(isBroken(look(written))).toBe(true);
    }
  });
});

describe('what a bundle is made of', () => {
  it('can be one receipt or a selection, which says that it shows no whole', async () => {
    const { items } = await app.receipts.page({ principal: aPrincipal() });
    const one = await exported({ id: items[0]?.id as ReceiptId });
    expect(entriesOf(one).filter(({ name }) => name.startsWith(RECEIPTS))).toHaveLength(1);
    for (const bytes of [one, await exported({ kind: 'run' }), await exported({ q: 'notes' })]) {
      const report = look(bytes);
      expect(standingOf(report.checks)).toBe('valid');
      expect(report.checks.at(-1)).toMatchObject({ name: 'complete', ok: null });
    }
    const nothing = await exported({ from: 1, to: 2 });
    expect(standingOf(look(nothing).checks)).toBe('valid');
  });

  it('can be shared: nothing that is hidden is told, and chosen fields are proved', async () => {
    const shared = await exported({ q: 'notes' }, { isShared: true, reveal: ['/receipt/command'] });
    const text = shared.toString('latin1');
    expect(standingOf(look(shared).checks)).toBe('valid');
    expect(text).toContain('"command":"cat notes.txt"');
    for (const secret of ['/srv/work', 'w\u00c3\u00b6rld', 'for notes.txt', '"q":"notes"']) expect(text).not.toContain(secret);
  });

  it('is never a table when it is to be given away', async () => {
    await expect(app.get(ReceiptExports).table(aPrincipal(), {}, { isShared: true, reveal: [] })).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
  });

  it('follows the order of the ledger also after the clock went back', async () => {
    const { clock } = app;
    const now = clock.at;
    clock.at -= 86_400_000;
    await rotate();
    const report = look(await exported(), { keys: app.get(ReceiptKeys).publicKeys });
    clock.at = now;
    expect(report.problems).toEqual([]);
    expect(standingOf(report.checks)).toBe('valid');
  });

  it('shows a revoked key for what it is', async () => {
    const revoked = keys[0];
    await app.get(KeyChanges).revoke({ by: admin, id: revoked?.id ?? '', reason: 'Lost a laptop' });
    const after = await exported();
    const known = app.get(ReceiptKeys).publicKeys;
    const report = look(after, { keys: known });
    expect(report.problems).toEqual([]);
    expect(report.checks.find(({ name }) => name === 'keys')?.detail).toContain('1 revoked');
    const signedBefore = entriesOf(after).find(({ name }) => name.startsWith(RECEIPTS));
    const file = contentOf(after, signedBefore ?? fail()).toString();
    expect(JSON.parse(file)).toMatchObject({ proof: { key: { id: revoked?.id } } });
    expect((await offline.verifyText(file, { keys: known })).filter(({ ok }) => ok === false)).toEqual([]);
  });
});

it('shows as a whole what a rule has deleted from, and not what somebody else did', async () => {
  const { clock } = app;
  const before = clock.at;
  const at = (): string => new Date(clock.now()).toISOString();
  const early = await app.write(aRunDraft({}, { at: at() }));
  clock.at += 40 * 86_400_000;
  const retention = app.get(Retention);
  await retention.add({ by: admin, subject: 'run', workspaceId: null, keepDays: 30 });
  expect(await retention.run()).toBeGreaterThan(0);
  const bytes = await exported({ from: 0, to: before + 86_400_000 });
  const report = look(bytes, { keys: app.get(ReceiptKeys).publicKeys });
  expect(report.problems).toEqual([]);
  expect(report.checks.at(-1)).toMatchObject({ name: 'complete', ok: true });
  expect(entriesOf(bytes).map(({ name }) => name)).not.toContainEqual(expect.stringContaining(early.evidence.id));
  const record = entriesOf(bytes).findLast(({ name }) => name.startsWith('records/'))?.name ?? '-';
  const without = filesOf(bytes).filter(([name]) => name !== record);
  expect(namesIn(look(zipped(listedAnew(without)), { keys: app.get(ReceiptKeys).publicKeys }))).toContain(
    'neither here nor deleted by a rule',
  );
});

function fail(): never {
  throw new Error('There is no such entry');
}

interface Span {
  readonly name: string;
  readonly body: number;
  readonly end: number;
}

/** Where each file of a bundle stands, with what stands before it. */
function spansOf(bytes: Buffer): readonly Span[] {
  return entriesOf(bytes).map(({ name, offset, size }) => {
    const body = offset + 30 + Buffer.byteLength(name);
    return { name, body, end: body + size };
  });
}
