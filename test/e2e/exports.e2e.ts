import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import type { DsseEnvelope, PublicKeyInfo, ReceiptFile } from '#contracts';
import { verifyEnvelope } from '#receipts/core';
import { boot, type Booted } from '../support/boot.js';
import { type ConsoleClient } from '../support/console-client.mjs';
import { root } from '../support/tree.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(120_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;
let folder: string;
let files: readonly ReceiptFile[];

beforeAll(async () => {
  api = await boot();
  owner = await api.owner();
  agent = await api.mcp();
  folder = dirname(api.dataDir);
  files = [await ran('ls'), await ran('ls', '-a'), await ran('pwd')];
  writeFileSync(join(folder, 'keys.json'), JSON.stringify(await owner.get('/api/receipts/keys')));
});
afterAll(() => api.close());

async function ran(...argv: readonly string[]): Promise<ReceiptFile> {
  const call = async (name: string, args: Record<string, unknown>) =>
    (await agent.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
  const { session_id, plan_id } = await call('terminal_plan', { argv: [...argv] });
  return (await call('terminal_execute', { session_id, plan_id })) as unknown as ReceiptFile;
}

const exported = async (query: string): Promise<Response> => owner.request('GET', `/api/receipts/export${query}`);

async function saved(name: string, query: string): Promise<string> {
  const answer = await exported(query);
  expect(answer.status).toBe(200);
  writeFileSync(join(folder, name), Buffer.from(await answer.arrayBuffer()));
  return join(folder, name);
}

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** The program of the product, beside the running server. */
async function countersign(...args: readonly string[]): Promise<Ended> {
  const env = { ...process.env, COUNTERSIGN_DATA: api.dataDir, LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, [join(root, 'dist/server/apps/api/src/cli.js'), ...args], { env, cwd: folder });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString('utf8')));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, text };
}

verifies('receipts:bundle', async () => {
  const bundle = await saved('all.zip', '');
  expect(await countersign('verify', bundle, '--trust', 'keys.json')).toMatchObject({
    code: 0,
    text: expect.stringContaining('\nVALID') as string,
  });
  expect(await countersign('verify', bundle)).toMatchObject({ code: 3, text: expect.stringContaining('SIGNER NOT CONFIRMED') as string });
  const changed = readFileSync(bundle);
  const at = changed.indexOf(`"command":"ls -a"`) + 12;
  changed[at] = (changed[at] ?? 0) ^ 1;
  writeFileSync(join(folder, 'changed.zip'), changed);
  const { code, text } = await countersign('verify', 'changed.zip', '--trust', 'keys.json');
  expect([code, text]).toEqual([1, expect.stringContaining(`-${files[1]?.evidence.id ?? ''}.json`)]);
});

verifies('receipts:bundle', 'from the command line, beside the running server', async () => {
  expect(await countersign('export', 'cli.zip')).toMatchObject({ code: 0 });
  expect(await countersign('verify', 'cli.zip', '--trust', 'keys.json')).toMatchObject({ code: 0 });
  expect(await countersign('export', 'one.zip', '--id', files[0]?.evidence.id ?? '')).toMatchObject({ code: 0 });
  expect(await countersign('verify', 'one.zip', '--trust', 'keys.json', '--json')).toMatchObject({
    code: 0,
    text: expect.stringContaining('"standing": "valid"') as string,
  });
  expect(await countersign('export', 'gone.zip', '--id', crypto.randomUUID())).toMatchObject({ code: 1 });
  expect(await countersign('export', 'odd.zip', '--from', 'yesterday')).toMatchObject({ code: 1 });
  expect(await countersign('export')).toMatchObject({ code: 2 });
});

verifies('receipts:bundle', 'shared, with a chosen field', async () => {
  const shared = await saved('shared.zip', '?share=true&reveal=/receipt/command&kind=run');
  expect(await countersign('verify', shared, '--trust', 'keys.json')).toMatchObject({ code: 0 });
  const text = readFileSync(shared, 'latin1');
  expect(text).toContain('"command":"ls -a"');
  expect(text).not.toContain(api.workspace);
});

it('exports in-toto statements, one a line, and a table without formulas', async () => {
  const keys = (await owner.get('/api/receipts/keys')) as PublicKeyInfo[];
  const statements = await exported('?format=intoto&kind=run');
  expect(statements.headers.get('content-disposition')).toContain('countersign-statements.jsonl');
  const lines = (await statements.text()).trimEnd().split('\n');
  expect(lines).toHaveLength(3);
  for (const line of lines) expect(verifyEnvelope(JSON.parse(line) as DsseEnvelope, keys[0]?.publicKey ?? '')).toBe(true);

  await ran('ls', '=1+1');
  const table = await (await exported('?format=csv')).text();
  expect(table).toContain('"ls -a"');
  expect(table).not.toMatch(/(^|,|")=/m);
});

it('shows an agent its own only, and refuses what is not asked properly', async () => {
  const headers = { authorization: `Bearer ${api.agentToken}` };
  const own = await api.fetch('/api/receipts/export?format=csv', { headers });
  expect([200, 403]).toContain(own.status);
  expect((await api.fetch('/api/receipts/export')).status).toBe(401);
  for (const query of ['?format=pdf', '?from=x', '?id=1', '?share=perhaps', '?reveal=command', '?other=1']) {
    expect((await exported(query)).status).toBe(400);
  }
  expect((await exported(`?id=${crypto.randomUUID()}`)).status).toBe(404);
});
