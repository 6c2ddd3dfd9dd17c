import { jest } from '@jest/globals';
import type {
  ConsistencyProof,
  InclusionProof,
  KeyHistory,
  KeyInfo,
  LedgerCheckpoint,
  LedgerLeaves,
  Page,
  ReceiptCounts,
  ReceiptSummary,
  RetentionRule,
} from '#contracts';
import { openCheckpoint, verifyConsistency, verifyFile, verifyInclusion } from '#receipts/core';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';

jest.setTimeout(120_000);

let api: Booted;
let owner: ConsoleClient;
beforeAll(async () => {
  api = await boot();
  owner = await api.owner();
});
afterAll(() => api.close());

const get = async <T>(path: string): Promise<T> => (await owner.get(`/api/receipts${path.startsWith('?') ? path : `/${path}`}`)) as T;

it('gives over REST what an outsider needs to watch the ledger, over a change of keys', async () => {
  const before = await get<LedgerCheckpoint>('checkpoint');
  const rotated = (await owner.post('/api/receipts/keys/rotate', { use: 'ed25519' })) as KeyInfo;
  expect(rotated).toMatchObject({ use: 'ed25519', isActive: true, lastIndex: null });
  const after = await get<LedgerCheckpoint>('checkpoint');
  expect(after.key.id).toBe(rotated.id);
  const proof = await get<ConsistencyProof>(`consistency?from=${String(before.size)}&to=${String(after.size)}`);
  expect(verifyConsistency(before.size, after.size, before.rootHash, after.rootHash, proof.hashes)).toBe(true);
  const entry = await get<InclusionProof>(`inclusion?index=${String(before.size)}&size=${String(after.size)}`);
  expect(verifyInclusion(entry.index, after.size, entry.leafHash, entry.hashes, after.rootHash)).toBe(true);
  const { hashes } = await get<LedgerLeaves>('leaves?from=0');
  expect([hashes.length, hashes[before.size]]).toEqual([after.size, entry.leafHash]);
  const { keys, records } = await get<KeyHistory>('keys/history');
  expect(keys.at(-1)?.id).toBe(rotated.id);
  for (const record of records) expect(verifyFile(record, { keys }).filter(({ ok }) => ok === false)).toEqual([]);
  expect(openCheckpoint(after.note, after.key.publicKey)?.origin).toBe(`countersign/ledger/${keys[0]?.id ?? ''}`);
  expect((await owner.request('GET', '/api/receipts/consistency?from=0&to=999')).status).toBe(400);
});

it('lets administrators alone change keys and rules, and tells of each change', async () => {
  const headers = { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' };
  const asked = [
    ['POST', 'keys/rotate', { use: 'hmac' }],
    ['POST', 'retention', { subject: 'run', keepDays: 1 }],
    ['GET', 'retention', undefined],
  ] as const;
  for (const [method, path, body] of asked) {
    const answer = await api.fetch(`/api/receipts/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    expect(answer.status).toBe(403);
  }
  const [first] = (await get<KeyInfo[]>('keys/all')).filter(({ use, isActive }) => use === 'hmac' && isActive);
  const revoked = (await owner.post(`/api/receipts/keys/${first?.id ?? ''}/revoke`, { reason: 'a test' })) as KeyInfo;
  expect(revoked).toMatchObject({ isActive: false });
  const rule = (await owner.post('/api/receipts/retention', { subject: 'output', keepDays: 30 })) as RetentionRule;
  expect(await get<RetentionRule[]>('retention')).toEqual([rule]);
  expect((await owner.request('DELETE', `/api/receipts/retention/${rule.id}`)).status).toBe(204);
  const { items } = await get<Page<ReceiptSummary>>('?kind=admin&limit=4');
  expect(items.map(({ summary }) => summary.split(' ').slice(1, 3).join(' '))).toEqual([
    'removed a',
    'set a',
    'revoked key',
    'rotated the',
  ]);
  const found = await get<Page<ReceiptSummary>>('?tool=key.revoked');
  expect(found.items).toHaveLength(1);
});

it('publishes its schemas, and counts for charts', async () => {
  const names = await get<string[]>('schemas');
  expect(names).toEqual(expect.arrayContaining(['receipt-1.0.schema.json', 'evidence-1.schema.json', 'receipt-file-1.schema.json']));
  expect(await get<unknown>(`schemas/${names[0] ?? ''}`)).toMatchObject({ $schema: 'https://json-schema.org/draft/2020-12/schema' });
  expect((await owner.request('GET', '/api/receipts/schemas/..%2f..%2fpackage.json')).status).toBe(404);
  const to = Date.now() + 60_000;
  const counts = await get<ReceiptCounts>(`counts?from=${String(to - 3_600_000)}&to=${String(to)}&step=3600000&by=kind`);
  expect(counts.items).toEqual([{ at: to - 3_600_000, name: 'admin', count: expect.any(Number) as number }]);
  expect((await owner.request('GET', `/api/receipts/counts?from=0&to=${String(to)}&step=60000`)).status).toBe(400);
});
