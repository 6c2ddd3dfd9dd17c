import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import type { Client } from '@modelcontextprotocol/client';
import { boot, type Booted } from '../support/boot.js';
import { callTool, decide, refOf } from '../support/terminal.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(60_000);

let api: Booted;
let agent: Client;

beforeAll(async () => {
  api = await boot();
  agent = await api.mcp();
  const site = (...path: string[]) => join(api.workspace, ...path);
  writeFileSync(site('notes.txt'), 'hello\ntoken ghp_0123456789abcdefghijklmnopqrstuvwxyzAB\n');
  writeFileSync(site('.env'), 'PASSWORD=hunter2hunter2\n');
  writeFileSync(site('big.txt'), 'x'.repeat(400_000));
  writeFileSync(site('binary'), Buffer.from([0, 1, 2, 3]));
  mkdirSync(site('docs'));
  writeFileSync(site('docs', 'a b.md'), '# hi\n');
  symlinkSync('/etc/passwd', site('passwd'));
  symlinkSync('docs', site('linked'));
});
afterAll(() => api.close());

const call = (name: string, args: Record<string, unknown>) => callTool(agent, name, args);
const readText = async (uri: string) => {
  const { contents } = await agent.readResource({ uri });
  const [first] = contents as { text?: string }[];
  return first?.text ?? '';
};

verifies('terminal:pending', async () => {
  const plan = await call('terminal_plan', { argv: ['touch', 'x'] });
  expect(plan).toMatchObject({ approval_url: `${api.url}/asks/${String(plan['ask_id'])}` });
  const pending = await call('terminal_execute', refOf(plan));
  expect(pending).toMatchObject({
    status: 'pending_approval',
    approval_url: plan['approval_url'],
    poll_after_ms: expect.any(Number) as number,
  });
  expect(JSON.stringify([plan, pending])).not.toContain('csn_');
  expect(await call('terminal_wait', { ...refOf(plan), wait_ms: 50 })).toMatchObject({ status: 'pending_approval' });
  const waiting = call('terminal_wait', refOf(plan));
  await decide(api, plan);
  expect(await waiting).toMatchObject({ status: 'approved' });
  expect(await call('terminal_wait', refOf(plan))).toMatchObject({ status: 'approved' });
  expect(await call('terminal_execute', refOf(plan))).toMatchObject({ receipt: { plan_id: plan['plan_id'] } });
  expect(await call('terminal_wait', refOf(plan))).toMatchObject({ receipt: { plan_id: plan['plan_id'] } });
});

verifies('terminal:links', async () => {
  const linksOf = async (name: string, args: Record<string, unknown>): Promise<readonly string[]> => {
    const { content } = (await agent.callTool({ name, arguments: args })) as { content: readonly { type: string; uri?: string }[] };
    return content.flatMap(({ type, uri }) => (type === 'resource_link' && uri !== undefined ? [uri] : []));
  };
  const plan = await call('terminal_plan', { argv: ['ls'] });
  const [planLink = ''] = await linksOf('terminal_plan', { argv: ['ls', '-a'] });
  expect(JSON.parse(await readText(planLink))).toMatchObject({ status: 'approved', argv: ['ls', '-a'] });
  const [receiptLink = ''] = await linksOf('terminal_execute', refOf(plan));
  expect(JSON.parse(await readText(receiptLink))).toMatchObject({ receipt: { plan_id: plan['plan_id'], status: 'succeeded' } });
  expect(await linksOf('terminal_execute', refOf(await call('terminal_plan', { argv: ['touch', 'y'] })))).toEqual([]);
});

verifies('terminal:workspace-files', async () => {
  expect(await readText('workspace:///notes.txt')).toMatch(/^hello\ntoken \[/);
  expect(await readText('workspace:///docs/a%20b.md')).toBe('# hi\n');
  expect(await readText('workspace://workspace/docs/a%20b.md')).toBe('# hi\n');
  const big = await readText('workspace:///big.txt');
  expect(big).toHaveLength(262_144 + '\n[137856 more bytes are left out]\n'.length - 0);
  for (const path of [
    '.env',
    'passwd',
    'linked/a%20b.md',
    '../data/countersign.db',
    'nowhere',
    'docs',
    'binary',
    '%2e%2e/x',
    'a%00b',
    '',
  ]) {
    await expect(agent.readResource({ uri: `workspace:///${path}` })).rejects.toThrow();
  }
});

it('explains plans and tasks through prompts, and plans through resources', async () => {
  const { prompts } = await agent.listPrompts();
  expect(prompts.map(({ name }) => name)).toEqual(expect.arrayContaining(['safe_terminal_task', 'review_plan']));
  const plan = await call('terminal_plan', { command: 'ls -l | head -n 2' });
  expect(plan).toMatchObject({
    command: 'ls -l | head -n 2',
    stages: [
      { join: 'first', argv: ['ls', '-l'] },
      { join: 'pipe', argv: ['head', '-n', '2'] },
    ],
  });
  expect(JSON.parse(await readText(`plan://${String(plan['plan_id'])}`))).toMatchObject({
    plan_id: plan['plan_id'],
    digest: plan['digest'],
  });
  const { messages } = await agent.getPrompt({ name: 'review_plan', arguments: { plan_id: String(plan['plan_id']) } });
  expect(JSON.stringify(messages)).toContain(plan['digest'] as string);
  const task = await agent.getPrompt({ name: 'safe_terminal_task', arguments: { task: 'count the files' } });
  expect(JSON.stringify(task.messages)).toContain('terminal_plan');
  const { resources } = await agent.listResources();
  expect(resources.map(({ uri }) => uri)).toContain(`plan://${String(plan['plan_id'])}`);
  expect(await call('terminal_execute', refOf(plan))).toMatchObject({
    receipt: { status: 'succeeded' },
    evidence: { stages: [{ ran: true }, { ran: true }] },
  });
});

it('lets a client that may decide do so by its digest, and tells it apart from the one that asked', async () => {
  const owner = await api.owner();
  const { secret } = (await owner.post('/api/tokens', { name: 'approver', scopes: ['terminal:plan', 'approvals:decide'] })) as {
    secret: string;
  };
  const approver = await api.mcp({ token: secret });
  const plan = await call('terminal_plan', { argv: ['touch', 'by-approver'] });
  const wrong = { ...refOf(plan), digest: '0'.repeat(64) };
  expect(await callTool(approver, 'terminal_approve', wrong)).toMatchObject({ error: { code: 'ASK_DIGEST_MISMATCH' } });
  expect(await callTool(approver, 'terminal_approve', { ...refOf(plan), digest: plan['digest'] })).toMatchObject({ status: 'approved' });
  const own = await callTool(approver, 'terminal_plan', { argv: ['touch', 'own'] });
  expect(await callTool(approver, 'terminal_approve', { ...refOf(own), digest: own['digest'] })).toMatchObject({
    error: { code: 'VOTE_NOT_ALLOWED' },
  });
  const finished = await call('terminal_execute', refOf(plan));
  expect(finished).toMatchObject({ evidence: { approvals: [{ name: 'approver', channel: 'mcp', answer: 'approve' }] } });
});
