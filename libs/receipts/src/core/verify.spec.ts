import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import type { ReceiptCheck, ReceiptFile, ReceiptId } from '#contracts';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, type ReceiptsApp } from '../../../../test/support/receipts.js';
import { builtVerifier, type Verifier } from '../../../../test/support/verifier.js';
import { ReceiptKeys } from '../receipt-keys.js';
import { canonicalJson } from './canonical-json.js';
import type { VerifyWith } from './check-file.js';
import { sha256Hex } from './primitives.js';
import { renderChecks, standingOf } from './render-checks.js';
import { MARKER } from './share.js';
import { verifyFile } from './verify.js';

let app: ReceiptsApp;
let offline: Verifier;
let use: Required<Pick<VerifyWith, 'hmacKey' | 'keys'>>;
/** Files of every sort, as they are given out. */
const files: Record<string, ReceiptFile> = {};

beforeAll(async () => {
  offline = await builtVerifier();
  app = await bootReceipts();
  for (let turn = 0; turn < 5; turn += 1) await app.write(aDecisionDraft());
  files['run'] = await app.file(aRunDraft());
  files['decision'] = await app.file(aDecisionDraft());
  const share = (name: string, reveal: readonly string[]) =>
    app.receipts.share(aPrincipal(), files[name]?.evidence.id as ReceiptId, reveal); // the brand exists at compile time only
  files['shared run'] = await share('run', []);
  files['opened run'] = await share('run', ['/receipt/command', '/evidence/pins']);
  files['shared decision'] = await share('decision', []);
  const keys = app.get(ReceiptKeys);
  use = { hmacKey: keys.hmac.key, keys: keys.publicKeys };
});
afterAll(() => app.close());

const NAMES = ['run', 'decision', 'shared run', 'opened run', 'shared decision'] as const;
const fileOf = (name: string): ReceiptFile => files[name] ?? fail(name);
const oks = (checks: readonly ReceiptCheck[]) => checks.map(({ name, ok }) => [name, ok]);

function fail(name: string): never {
  throw new Error(`There is no file ${name}`);
}

/** What both verifiers say; they must say the same. */
async function judge(text: string): Promise<readonly ReceiptCheck[]> {
  const checks = verifyFile(text, use);
  expect(oks(await offline.verifyText(text, use))).toEqual(oks(checks));
  return checks;
}

describe('verifyFile', () => {
  it.each(NAMES)('finds nothing wrong with the %s', async (name) => {
    const text = canonicalJson(fileOf(name));
    const checks = await judge(text);
    expect(checks.filter(({ ok }) => ok === false)).toEqual([]);
    expect(checks.filter(({ ok }) => ok === null).map((check) => check.name)).toEqual(name.includes('decision') ? ['hmac'] : []);
    expect(standingOf(checks)).toBe('valid');
    expect(JSON.stringify(fileOf(name))).toBe(text); // as it comes over REST
  });

  it.each(NAMES)('fails when any single byte of the %s is changed', async (name) => {
    const bytes = Buffer.from(canonicalJson(fileOf(name)), 'utf8');
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const changed = Buffer.from(bytes);
        changed[at] = (changed[at] ?? 0) ^ flip;
        const checks = await judge(changed.toString('utf8'));
        expect(checks.some(({ ok }) => ok === false)).toBe(true);
      }),
      { numRuns: 120 },
    );
  });

  it.each(NAMES)('fails when any value of the %s is replaced, left out or added', async (name) => {
    const paths = pathsOf(fileOf(name));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        fc.oneof(fc.jsonValue(), fc.constant(undefined), fc.constant(MARKER)),
        async (path, value) => {
          const before = valueAt(fileOf(name), path);
          fc.pre(value === undefined || canonicalJson(value) !== canonicalJson(before));
          const text = canonicalJson(replaced(fileOf(name), path, value));
          fc.pre(text !== canonicalJson(fileOf(name)));
          const checks = await judge(text);
          expect(checks.some(({ ok }) => ok === false)).toBe(true);
        },
      ),
      { numRuns: 120 },
    );
  });

  it('does not believe a file that was signed again by somebody else', async () => {
    const other = await bootReceipts();
    try {
      const forged = await other.file(aRunDraft());
      const byName = new Map(verifyFile(canonicalJson(forged), use).map(({ name, ok }) => [name, ok]));
      expect(byName.get('key')).toBe(false);
      expect(byName.get('hmac')).toBe(false);
      expect(byName.get('signature')).toBe(true);
      const { envelope, key } = forged.proof;
      const mixed = { ...fileOf('run'), proof: { ...fileOf('run').proof, envelope, key } };
      expect((await judge(canonicalJson(mixed))).filter(({ ok }) => ok === false).map(({ name }) => name)).toEqual([
        ...['key', 'statement', 'leaf', 'inclusion', 'checkpoint'],
      ]);
    } finally {
      await other.close();
    }
  });

  it('does not take one entry for another', async () => {
    const [run, decision] = [fileOf('run'), fileOf('decision')];
    const swapped = { ...run, proof: { ...run.proof, ledger: decision.proof.ledger } };
    expect((await judge(canonicalJson(swapped))).filter(({ ok }) => ok === false).map(({ name }) => name)).toEqual(['leaf']);
  });

  it('says what it did not check', async () => {
    const checks = verifyFile(fileOf('run'));
    expect(checks.filter(({ ok }) => ok === null).map(({ name }) => name)).toEqual(['hmac', 'key']);
    const pretty = JSON.stringify(fileOf('run'), null, 2);
    expect((await judge(pretty))[0]).toMatchObject({ name: 'form', ok: null });
    expect(renderChecks(checks)).toMatch(/\nSIGNER NOT CONFIRMED: .* anybody can make such a file .*\n$/);
    expect(renderChecks(verifyFile(fileOf('run'), { keys: use.keys }))).toMatch(/\nVALID, 1 not checked\n$/);
    expect(renderChecks([{ name: 'form', ok: false, detail: 'x' }])).toMatch(/NOT VALID/);
  });

  it('does not believe a place in the ledger that nothing proves', async () => {
    const run = fileOf('run');
    const ledger = { ...run.proof.ledger, index: 4_711, inclusion: null, checkpoint: null };
    const checks = await judge(canonicalJson({ ...run, proof: { ...run.proof, ledger } }));
    expect(checks.filter(({ ok }) => ok === false)).toEqual([]);
    expect(standingOf(checks)).toBe('unproved');
  });

  it('does not pass a file in which a name stands twice, for another reader may take the other', async () => {
    const text = canonicalJson(fileOf('run')).replace('"command":', '"command":"rm -rf / {:","command":');
    expect((await judge(text))[0]).toMatchObject({ name: 'form', ok: false, detail: /twice/ });
  });

  it('lets no text of the file act on the screen', async () => {
    const hostile = { ...fileOf('run'), ['\u001b[2J\u001b[Hok    key  trusted\u202e']: 1 };
    const text = canonicalJson(hostile);
    for (const shown of [renderChecks(verifyFile(text)), offline.renderChecks(await offline.verifyText(text))]) {
      expect(shown).toContain('\\u{1b}[2J');
      expect(shown).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    }
  });

  it('fails, without a throw, on content that has no canonical form', async () => {
    const { evidence } = fileOf('run');
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
    for (const details of ['{"half":"\\ud800"}', '{"large":1e999}', deep]) {
      const text = canonicalJson(fileOf('run')).replace(canonicalJson(evidence.details), details);
      const failed = (await judge(text)).filter(({ ok }) => ok === false).map(({ name }) => name);
      expect(failed).toEqual(['form', 'statement', 'leaf']);
    }
  });

  it.each(['', 'x', 'null', '[]', '{}', '{"receipt":null,"evidence":{},"proof":{}}', '"\\ud800"'])(
    'refuses %j without a throw',
    async (text) => {
      expect((await judge(text)).some(({ ok }) => ok === false)).toBe(true);
    },
  );
});

describe('a share-safe file', () => {
  it('shows nothing of the command, the paths and the output', () => {
    const text = JSON.stringify(fileOf('shared run'));
    const { receipt, evidence, proof } = fileOf('run');
    for (const secret of [
      'notes.txt',
      '/srv/work',
      '/usr/bin/cat',
      'wörld',
      'for notes.txt',
      evidence.plan_digest,
      evidence.stdout?.sha256,
    ]) {
      expect(text).not.toContain(secret);
    }
    for (const digest of [sha256Hex(receipt?.command ?? ''), proof.envelope.payload, proof.ledger.salts['*'], receipt?.signature]) {
      expect(text).not.toContain(digest);
    }
    expect(fileOf('shared run').receipt).toMatchObject({
      command: MARKER,
      cwd: MARKER,
      stdout: MARKER,
      stderr: MARKER,
      policy: { argv: [MARKER] },
      command_sha256: sha256Hex(MARKER),
      sharing_redacted: true,
      status: 'succeeded',
    });
  });

  it('shows no host of the command', async () => {
    const limits = { timeoutMs: 1_000, maxOutputBytes: 1_000, network: { hosts: ['inner.example'] } };
    const file = await app.file(aRunDraft({}, { limits }));
    const shared = await app.receipts.share(aPrincipal(), file.evidence.id as ReceiptId, []); // the brand exists at compile time only
    expect(JSON.stringify(shared)).not.toContain('inner.example');
    expect(standingOf(verifyFile(canonicalJson(shared), use))).toBe('valid');
  });

  it('stands for the same entry of the ledger, and opens the fields that were chosen', () => {
    for (const name of ['shared run', 'opened run']) {
      expect(fileOf(name).proof.ledger.leafHash).toBe(fileOf('run').proof.ledger.leafHash);
    }
    expect(fileOf('opened run').receipt?.command).toBe('cat notes.txt');
    expect(fileOf('opened run').evidence.pins?.cwd.path).toBe('/srv/work');
    expect(fileOf('opened run').receipt?.stdout).toBe(MARKER);
  });
});

describe('the downloaded verifier', () => {
  const run = (...args: readonly string[]) => spawnSync(process.execPath, [offline.path, ...args], { encoding: 'utf8' });

  it('runs by itself and tells good from bad', () => {
    const folder = mkdtempSync(join(tmpdir(), 'countersign-verify-'));
    try {
      const [good, bad, keys] = ['good.json', 'bad.json', 'keys.json'].map((name) => join(folder, name)) as [string, string, string];
      writeFileSync(good, canonicalJson(fileOf('run')));
      writeFileSync(bad, canonicalJson(fileOf('run')).replace('"exit_code":0', '"exit_code":1'));
      writeFileSync(keys, JSON.stringify(use.keys));
      const right = run(good, '--keys', keys, '--hmac-key', String(use.hmacKey));
      expect([right.status, right.stdout]).toEqual([0, expect.stringMatching(/\nVALID\n/)]);
      const unknown = run(good);
      expect([unknown.status, unknown.stdout]).toEqual([3, expect.not.stringMatching(/^VALID/m)]);
      const told = JSON.parse(run(good, '--keys', keys, '--json').stdout) as { standing: string };
      expect(told.standing).toBe('valid');
      const wrong = run(bad);
      expect([wrong.status, wrong.stdout]).toEqual([1, expect.stringContaining('NOT VALID')]);
      expect(run().status).toBe(2);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

type Path = readonly string[];

function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  const own = at.length === 0 ? [] : [at];
  if (typeof value !== 'object' || value === null) return own;
  return [...own, ...Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...at, name]))];
}

function valueAt(value: unknown, [name, ...rest]: Path): unknown {
  if (name === undefined) return value;
  return valueAt((value as Record<string, unknown>)[name], rest);
}

/** A copy with one value replaced; undefined leaves it out. */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    const changed = items.map((item, index) => (String(index) === name ? replaced(item, rest, by) : item));
    return changed.filter((item) => item !== undefined);
  }
  const entries = Object.entries(value as Record<string, unknown>).map(
    ([key, part]) => [key, key === name ? replaced(part, rest, by) : part] as const,
  );
  return Object.fromEntries(entries.filter(([, part]) => part !== undefined));
}
