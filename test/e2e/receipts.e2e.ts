import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import type { Ask, LedgerCheckpoint, Page, PublicKeyInfo, ReceiptCheck, ReceiptFile, ReceiptSummary } from '#contracts';
import { openCheckpoint, verifyFile } from '#receipts/core';
import { boot, type Booted } from '../support/boot.js';
import { ConsoleClient } from '../support/console-client.mjs';
import type { Verifier } from '../support/verifier.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(60_000);

let api: Booted;
let agent: Client;
let owner: ConsoleClient;

beforeAll(async () => {
  api = await boot();
  owner = await api.owner();
  agent = await api.mcp();
});
afterAll(() => api.close());

type Answer = Record<string, unknown>;

async function call(name: string, args: Answer): Promise<Answer> {
  const { structuredContent, content } = await agent.callTool({ name, arguments: args });
  const [block] = content as readonly { type: string; text?: string }[];
  return (structuredContent ?? JSON.parse(block?.text ?? '{}')) as Answer;
}

/** Whatever the answer says, gone to its end. */
async function execute({ session_id, plan_id }: Answer): Promise<ReceiptFile> {
  let answer = await call('terminal_execute', { session_id, plan_id });
  for (let turn = 0; turn < 20 && answer['receipt'] === undefined; turn += 1) answer = await call('terminal_wait', { session_id, plan_id });
  return answer as unknown as ReceiptFile;
}

const vote = (by: ConsoleClient, ask: Ask, answer = 'approve') =>
  by.request('POST', `/api/asks/${ask.id}/votes`, { answer, digest: ask.digest });

async function waitingPlan(file: string): Promise<{ readonly plan: Answer; readonly ask: Ask }> {
  const plan = await call('terminal_plan', { argv: ['touch', file] });
  const ask = (await owner.get(`/api/asks/${String(plan['ask_id'])}`)) as Ask;
  return { plan, ask };
}

const failures = (checks: readonly ReceiptCheck[]) => checks.filter(({ ok }) => ok !== true).map(({ name }) => name);

verifies('asks:first-wins', async () => {
  await owner.post('/api/people', { name: 'grace', password: 'a long enough password', roles: ['approver'] });
  const grace = new ConsoleClient(api.url);
  await grace.login('grace', 'a long enough password');
  const { ask } = await waitingPlan('first.txt');
  const answers = await Promise.all([vote(owner, ask), vote(grace, ask)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const [won, lost] = [answers.find(({ status }) => status === 200), answers.find(({ status }) => status === 409)];
  const { votes, resolvedAt } = (await won?.json()) as Ask;
  expect(await lost?.json()).toMatchObject({
    error: { code: 'ASK_ALREADY_RESOLVED', details: { by: votes[0]?.byName, at: resolvedAt, answer: 'approve' } },
  });
  expect(votes).toMatchObject([{ channel: 'console', digest: ask.digest }]);
});

verifies('asks:agent-cannot-decide', async () => {
  const { plan, ask } = await waitingPlan('own.txt');
  const headers = { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ answer: 'approve', digest: plan['digest'] });
  const answer = await api.fetch(`/api/asks/${ask.id}/votes`, { method: 'POST', headers, body });
  expect([answer.status, await answer.json()]).toMatchObject([403, { error: { code: 'VOTE_NOT_ALLOWED' } }]);
  // A link decides nothing by being opened.
  const link = String(plan['approval_url']);
  for (const method of ['GET', 'HEAD']) await api.fetch(new URL(link).pathname, { method });
  expect(((await owner.get(`/api/asks/${ask.id}`)) as Ask).status).toBe('open');
  expect(await call('terminal_execute', { session_id: plan['session_id'], plan_id: plan['plan_id'] })).not.toHaveProperty('receipt');
});

verifies('receipts:offline', async () => {
  const { plan, ask } = await waitingPlan('run.txt');
  expect((await vote(owner, ask)).status).toBe(200);
  const file = await execute(plan);
  expect(file.receipt).toMatchObject({ status: 'succeeded', approved: true, plan_id: plan['plan_id'] });
  expect(file.evidence.approvals).toMatchObject([{ name: 'owner', channel: 'console', answer: 'approve' }]);
  const keys = (await owner.get('/api/receipts/keys')) as PublicKeyInfo[];
  expect(failures(verifyFile(file, { keys }))).toEqual(['hmac']); // only the server holds that key
  const forged = { ...file, evidence: { ...file.evidence, approvals: [] } };
  expect(failures(verifyFile(forged, { keys }))).toEqual(['hmac', 'statement', 'leaf']);
});

verifies('receipts:one-truth', async () => {
  const plan = await call('terminal_plan', { argv: ['ls'] });
  const { receipt, evidence } = await execute(plan);
  const { id } = evidence;
  const byId = await call('terminal_receipt', { receipt_id: id });
  const byPlan = await call('terminal_receipt', { session_id: plan['session_id'], plan_id: plan['plan_id'] });
  const overRest = await (await owner.request('GET', `/api/receipts/${id}`)).text();
  const { contents } = await agent.readResource({ uri: `receipt://${id}` });
  const [content] = contents as readonly { text?: string }[];
  for (const answer of [byId, byPlan, JSON.parse(overRest), JSON.parse(content?.text ?? '{}')])
    expect(answer).toMatchObject({ receipt, evidence });
  expect(verifyFile(overRest)[0]).toMatchObject({ name: 'form', ok: true });
  expect(await call('terminal_receipt', { receipt_id: crypto.randomUUID() })).toMatchObject({ error: { code: 'RECEIPT_NOT_FOUND' } });
  expect(await call('terminal_receipt', {})).toMatchObject({ error: { code: 'INPUT_INVALID' } });

  const { items } = (await owner.get('/api/receipts?q=ls&limit=5')) as Page<ReceiptSummary>;
  expect(items[0]).toMatchObject({ id, outcome: 'succeeded' });
  expect(failures((await owner.post(`/api/receipts/${id}/verify`)) as ReceiptCheck[])).toEqual([]);
  const head = (await owner.get('/api/receipts/checkpoint')) as LedgerCheckpoint;
  expect(openCheckpoint(head.note, head.key.publicKey)).toMatchObject({ size: head.size, rootHash: head.rootHash });

  const served = await owner.request('GET', '/api/receipts/verifier');
  expect(served.headers.get('content-type')).toContain('text/javascript');
  const module = `data:text/javascript;base64,${Buffer.from(await served.text()).toString('base64')}`;
  const { verifyText } = (await import(module)) as Pick<Verifier, 'verifyText'>;
  expect((await verifyText(overRest)).filter(({ ok }) => ok === false)).toEqual([]);

  const { completion } = await agent.complete({
    ref: { type: 'ref/resource', uri: 'receipt://{id}' },
    argument: { name: 'id', value: id.slice(0, 20) },
  });
  expect(completion.values).toContain(id);
  const { messages } = await agent.getPrompt({ name: 'explain_receipt', arguments: { receipt_id: id } });
  expect(JSON.stringify(messages)).toContain(id);
});

verifies('receipts:share-safe', async () => {
  const { evidence } = await execute(await call('terminal_plan', { argv: ['ls', '-la'] }));
  const shared = await (await owner.request('GET', `/api/receipts/${evidence.id}/share`)).text();
  for (const secret of ['ls', api.workspace, evidence.stdout?.sha256 ?? '-']) expect(shared).not.toContain(`"${secret}`);
  expect(verifyFile(shared).filter(({ ok }) => ok === false)).toEqual([]);
  const opened = (await owner.get(`/api/receipts/${evidence.id}/share?reveal=/receipt/command`)) as ReceiptFile;
  expect(opened.receipt).toMatchObject({ command: 'ls -la', cwd: '[REDACTED FOR SHARING]' });
  expect((await owner.request('GET', `/api/receipts/${evidence.id}/share?reveal=command`)).status).toBe(400);
});
