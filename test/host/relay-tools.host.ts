import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { HostView } from '#contracts';
import { HostConnections } from '#relay';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { read } from '../support/tree.js';
import { startMockModel } from './mock-model.mjs';

type Answer = Readonly<Record<string, unknown>> & { readonly error?: { readonly code: string } };

const FROZEN = (JSON.parse(read('test/e2e/frozen-relay.json')) as readonly { readonly name: string }[]).map(({ name }) => name);

let root: string;
let cwd: string;
let model: Awaited<ReturnType<typeof startMockModel>>;
let server: Booted;
let owner: ConsoleClient;
let client: Client;
let hostPath: string;
const succeeded = new Set<string>();

async function call(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
  const { content } = await client.callTool({ name, arguments: args });
  const answer = JSON.parse((content as readonly { readonly text: string }[])[0]?.text ?? 'null') as Answer;
  if (!answer.error) succeeded.add(name);
  return answer;
}

const wait = (id: unknown): Promise<Answer> => call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 20 });
const waitGoal = (id: unknown): Promise<Answer> => call('dsh_wait_goal', { session_id: id, wait_seconds: 20 });

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-tools-')));
  cwd = join(root, 'work');
  mkdirSync(cwd);
  model = await startMockModel();
  server = await boot({ dataDir: join(root, 'data'), keep: true, env: { WORKSPACE_ROOT: cwd, APPROVAL_MODE: 'confirm' } });
  await server.app.get(HostConnections).begin();
  owner = await server.owner();
  const settings = { kind: 'bridge', provider: 'deepseek-official', model: 'deepseek-v4-flash', baseUrl: model.url };
  const { id } = (await owner.post('/api/hosts', { name: 'first', settings, key: 'sk-mock' })) as HostView;
  hostPath = `/api/hosts/${id}`;
  await owner.post(`${hostPath}/start`);
  for (const end = Date.now() + 20_000; ((await owner.get(hostPath)) as HostView).state !== 'connected';)
    if (Date.now() > end) throw new Error('The host did not come up');
  const scopes = ['relay:read', 'relay:drive', 'approvals:decide'];
  const { secret } = (await owner.post('/api/tokens', { name: 'chat', scopes })) as { secret: string };
  client = await server.mcp({ token: secret, path: '/mcp/relay' });
});

afterAll(async () => {
  await owner.post(`${hostPath}/stop`);
  await server.close();
  await model.close();
  rmSync(root, { recursive: true, force: true });
});

it('tells of itself, its workspaces and its credentials', async () => {
  await call('dsh_health');
  expect(JSON.stringify(await call('dsh_list_workspaces'))).toContain(cwd);
  expect(JSON.stringify(await call('dsh_credential_status'))).not.toContain('sk-mock');
});

it('carries a chat from a message to its result', async () => {
  const { session_id: id } = await call('dsh_create_session', { workspace: cwd, title: 'A chat', initial_message: 'DO_BASH please' });
  expect(await wait(id)).toMatchObject({ status: 'completed' });
  expect(readFileSync(join(cwd, 'out.txt'), 'utf8')).toBe('hello-from-bash\n');
  expect(JSON.stringify(await call('dsh_get_result', { session_id: id }))).toContain('hello-from-bash');
  await call('dsh_get_session', { session_id: id });
  await call('dsh_get_task_status', { session_id: id });
  expect(JSON.stringify(await call('dsh_list_sessions'))).toContain(String(id));
  await call('dsh_send_message', { session_id: id, message: 'DO_SLOW' });
  await call('dsh_cancel_task', { session_id: id });
  await wait(id);
});

it('relays an approval and a batch of questions, and both decisions reach the agent', async () => {
  const { session_id: id } = await call('dsh_create_session', { workspace: cwd, initial_message: 'DO_ESCALATE now' });
  const { approvals } = (await wait(id))['waiting'] as { approvals: readonly { approval_id: string; command: string }[] };
  expect(approvals).toMatchObject([{ command: 'echo escalated' }]);
  await call('dsh_approve', { session_id: id, approval_id: approvals[0]?.approval_id, decision: 'reject' });
  expect(await wait(id)).toMatchObject({ status: 'completed' });
  await call('dsh_send_message', { session_id: id, message: 'DO_ASK me' });
  const { questions } = (await wait(id))['waiting'] as { questions: readonly { question_id: string }[] };
  await call('dsh_answer_question', { question_id: questions[0]?.question_id, selected: ['blue'] });
  await call('dsh_answer_question', { question_id: questions[1]?.question_id, custom: 'forty-two' });
  expect(await wait(id)).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(await call('dsh_get_result', { session_id: id }))).toContain('forty-two');
});

it('leads a goal through its life', async () => {
  const { session_id: id } = await call('dsh_create_goal', {
    workspace: cwd,
    goal: 'DO_SLOW one',
    max_rounds: 3,
    workspace_lock_override: true,
  });
  expect(await call('dsh_pause_goal', { session_id: id, expected_revision: 1 })).not.toHaveProperty('error');
  await call('dsh_revise_goal', { session_id: id, goal: 'DO_COMPLETE it' });
  await call('dsh_resume_goal', { session_id: id });
  expect(await waitGoal(id)).toMatchObject({ goal_outcome: 'complete' });
  const again = await call('dsh_start_goal', { workspace: cwd, goal: 'DO_SLOW two', workspace_lock_override: true });
  await call('dsh_update_goal', { session_id: again['session_id'], action: 'pause' });
  await call('dsh_stop_goal', { session_id: again['session_id'] });
});

it('has called each of the frozen tools with success', () => {
  expect(FROZEN.filter((name) => !succeeded.has(name))).toEqual([]);
  expect(FROZEN).toHaveLength(21);
});
