import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import type { ReceiptFile, ReceiptId, RetentionRecord } from '#contracts';
import { aDecisionDraft, aPrincipal, aRunDraft, bootReceipts, type ReceiptsApp } from '../../../test/support/receipts.js';
import { root } from '../../../test/support/tree.js';
import { fileShape } from './core/file-shape.js';
import { KeyChanges } from './key-changes.js';
import { KeyHistories } from './key-history.js';
import { Retention } from './retention.js';

const FOLDER = join(root, 'libs/receipts/schemas');
const ADMIN = aPrincipal({ scopes: ['admin'] });

const ajv = new Ajv2020({ allErrors: false, strict: true, allowUnionTypes: true });
for (const name of readdirSync(FOLDER)) ajv.addSchema(JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as AnySchema);
const fits = (name: string, value: unknown): boolean => ajv.validate(`urn:countersign:schema:${name}`, value);

type Path = readonly string[];

function pathsIn(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name]))];
}

/** A copy with one value replaced; undefined leaves it out. */
function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  const entries = Object.entries(value as object).map(([key, part]): [string, unknown] => [
    key,
    key === name ? replaced(part, rest, by) : part,
  ]);
  const kept = entries.filter(([, part]) => part !== undefined);
  return Array.isArray(value) ? kept.map(([, part]) => part) : Object.fromEntries(kept);
}

describe('published schemas', () => {
  let app: ReceiptsApp;
  let files: ReceiptFile[];
  beforeAll(async () => {
    app = await bootReceipts();
    const connector = {
      connector_id: 'c',
      connector_name: 'n',
      provider: 'github',
      action: 'issues.create',
      connection: 'x',
      execution_id: null,
      input_sha256: 'a1',
      output_sha256: null,
    };
    const decision = aDecisionDraft();
    const run = await app.file(aRunDraft());
    const called = {
      ...decision,
      evidence: { ...decision.evidence, kind: 'connector' as const, outcome: 'succeeded' as const, connector },
    };
    const shared = await app.receipts.share(ADMIN, run.evidence.id as ReceiptId, []);
    files = [run, await app.file(decision), await app.file(called), shared];
  });
  afterAll(() => app.close());

  it('are taken by receipts of every kind', async () => {
    expect(files.map((file) => fits('receipt-file-1', file))).toEqual(files.map(() => true));
    expect(files.map(({ receipt }) => receipt && fits('receipt-1.0', receipt))).toEqual([true, null, null, true]);
    await app.get(KeyChanges).rotate(ADMIN, 'hmac');
    await app.get(KeyChanges).revoke({ by: ADMIN, id: files[0]?.proof.key.id ?? '', reason: 'test' });
    await app.get(Retention).add({ by: ADMIN, subject: 'run', workspaceId: null, keepDays: 1 });
    await app.get(Retention).run();
    const { records } = await app.get(KeyHistories).read();
    const details = records.map(({ evidence }) => evidence.details ?? {});
    for (const { rotation, revocation } of details) {
      if (revocation !== undefined) expect(fits('key-revocation-1', revocation)).toBe(true);
      if (rotation === undefined) continue;
      const { payload } = rotation as { readonly payload: string };
      expect(fits('key-rotation-1', JSON.parse(Buffer.from(payload, 'base64').toString()))).toBe(true);
    }
    const { items } = await app.receipts.page({ principal: ADMIN, limit: 1 });
    const told = await app.receipts.read(ADMIN, { receiptId: items[0]?.id as ReceiptId });
    const retention = told.evidence.details?.['retention'] as RetentionRecord;
    expect(fits('retention-1', retention)).toBe(true);
    expect(fits('retention-1', { ...retention, count: 'three' })).toBe(false);
  });

  it('say exactly what is checked on every write: both take and refuse the same', () => {
    const strange = [undefined, null, 'x', 1.5, true, {}, []];
    const differ: string[] = [];
    let refused = 0;
    for (const file of files) {
      const changed = pathsIn(file).flatMap((path) => strange.map((by) => replaced(file, path, by)));
      const added = pathsIn(file)
        .filter((path) => path.length > 0 && path.length < 4)
        .map((path) => replaced(file, path, { extra: 1 }));
      for (const value of [...changed, ...added, { ...file, extra: 1 }]) {
        const isRight = value !== undefined && fileShape(value, '').length === 0;
        if (fits('receipt-file-1', value ?? null) !== isRight) differ.push(JSON.stringify(value).slice(0, 300));
        if (!isRight) refused += 1;
      }
    }
    expect(differ.slice(0, 3)).toEqual([]);
    expect(refused).toBeGreaterThan(1_000);
  });
});
