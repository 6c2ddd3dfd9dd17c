import type { Ask } from '#contracts';
import { type Answer, eventually, relayFlow, type RelayFlow } from '../support/relay-flow.js';
import frozen from './frozen-relay.json' with { type: 'json' };

let flow: RelayFlow;

beforeAll(async () => {
  flow = await relayFlow();
});
afterAll(() => flow.close());

const call = (tool: string, args?: Record<string, unknown>): Promise<Answer> => flow.call(tool, args);
const openAsks = async (): Promise<readonly Ask[]> => ((await flow.owner.get('/api/asks?state=open')) as { items: readonly Ask[] }).items;
const askOf = (sessionId: string) => eventually(async () => (await openAsks()).find(({ host }) => host?.hostSessionId === sessionId));
const closed = async (id: string): Promise<Ask> => (await flow.owner.get(`/api/asks/${id}`)) as Ask;

async function session(message?: string): Promise<string> {
  const made = await call('dsh_create_session', {
    workspace: flow.workspaceId,
    ...(message !== undefined && { initial_message: message }),
  });
  expect(made.error).toBeUndefined();
  return String(made['session_id']);
}

async function goal(words: string, more: Record<string, unknown> = {}): Promise<Answer> {
  return call('dsh_create_goal', { workspace: flow.workspaceId, goal: words, workspace_lock_override: true, max_rounds: 3, ...more });
}

it('serves exactly the frozen tools, with their inputs', async () => {
  const { tools } = await flow.client.listTools();
  const served = tools.map(({ name, inputSchema }) => ({ name, inputSchema }));
  expect(served).toEqual(frozen);
  expect(tools).toHaveLength(21);
});

it('runs a chat from a message to a result', async () => {
  const id = await session('DO_BASH please');
  const waited = await call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 5 });
  expect(waited).toMatchObject({
    status: 'completed',
    terminal: true,
    continuation_required: false,
    next_tool_call: null,
    needs_user_action: false,
  });
  const { result } = await call('dsh_get_result', { session_id: id });
  expect(result).toMatchObject({
    text: 'fake: tool said hello-from-bash\n',
    end: 'completed',
    tests: null,
    evidence: [{ id: expect.stringMatching(new RegExp(`^exec-${id}:call-`, 'u')) as string, succeeded: true }],
  });
  const read = await call('dsh_get_session', { session_id: id });
  expect((read['messages'] as readonly { from: string }[]).map(({ from }) => from)).toEqual(['user', 'agent']);
  const rows = (await call('dsh_list_sessions'))['sessions'] as readonly Answer[];
  expect(rows.find((row) => row['session_id'] === id)).toMatchObject({ status: 'completed', live: true });
});

it('brings an approval to a person, and the decision to the host', async () => {
  const id = await session('DO_ESCALATE now');
  const waited = await call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 10 });
  expect(waited).toMatchObject({
    status: 'waiting_for_approval',
    needs_user_action: true,
    waiting: { approvals: [{ source: 'parked', tool: 'bash', command: 'echo escalated' }], questions: [] },
  });
  const ask = await askOf(id);
  expect(ask).toMatchObject({ kind: 'host_approval', summary: 'echo escalated', requesterName: 'driver', delivery: 'none' });
  await flow.owner.post(`/api/asks/${ask.id}/votes`, { answer: 'approve', digest: ask.digest });
  const ended = await call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 5 });
  expect(ended).toMatchObject({ status: 'completed' });
  expect(await eventually(async () => (await closed(ask.id)).delivery === 'applied')).toBe(true);
  const { items } = (await flow.owner.get('/api/receipts?limit=20')) as { items: readonly { kind: string; summary: string }[] };
  expect(items.find(({ kind, summary }) => kind === 'decision' && summary.includes('bash'))).toBeDefined();
});

it('refuses an approval by a client that only drives, and takes a rejection of one that may decide', async () => {
  const id = await session('DO_ESCALATE again');
  const waited = await call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 10 });
  const [approval] = (waited['waiting'] as { approvals: readonly { approval_id: string }[] }).approvals;
  const args = { session_id: id, approval_id: approval?.approval_id, decision: 'reject' };
  expect((await call('dsh_approve', args)).error?.code).toBe('VOTE_NOT_ALLOWED');
  const decider = (await flow.owner.post('/api/tokens', {
    name: 'decider',
    scopes: ['relay:read', 'relay:drive', 'approvals:decide'],
  })) as { secret: string };
  const client = await flow.api.mcp({ token: decider.secret, path: '/mcp/relay' });
  const { content } = await client.callTool({ name: 'dsh_approve', arguments: args });
  expect(JSON.parse((content as readonly { text: string }[])[0]?.text ?? '')).toMatchObject({ status: 'denied', decision: 'reject' });
  expect(await call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 5 })).toMatchObject({ status: 'completed' });
});

it('walks a batch of questions, and settles the host once, in the asked order', async () => {
  const id = await session('DO_ASK me');
  const waited = await call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 10 });
  const { questions } = waited['waiting'] as { questions: readonly { question_id: string; question: string }[] };
  expect(questions.map(({ question }) => question)).toEqual(['Which colour?', 'Free text?']);
  const wrong = await call('dsh_answer_question', { question_id: questions[0]?.question_id, selected: ['green'] });
  expect(wrong.error?.code).toBe('INVALID_ANSWER');
  const second = await call('dsh_answer_question', { question_id: questions[1]?.question_id, custom: 'forty-two' });
  expect(second).toMatchObject({ remaining_questions: 1, next_question_id: questions[0]?.question_id });
  const first = await call('dsh_answer_question', { question_id: questions[0]?.question_id, selected: ['blue'] });
  expect(first).toMatchObject({ remaining_questions: 0, next_question_id: null, status: 'answered' });
  await call('dsh_wait_until_action_required', { session_id: id, wait_seconds: 5 });
  const { result } = (await call('dsh_get_result', { session_id: id })) as unknown as { result: { text: string } };
  expect(result.text).toBe('fake: [{"id":"q1","selected":["blue"]},{"id":"q2","selected":[],"custom":"forty-two"}]');
});

it('takes a batch in two halves from two people at once', async () => {
  const id = await session('DO_ASK us');
  const ask = await askOf(id);
  const give = (answers: unknown) => flow.owner.request('POST', `/api/asks/${ask.id}/answers`, { digest: ask.digest, answers });
  const halves = await Promise.all([
    give([{ id: 'q1', selected: ['red'] }]),
    call('dsh_answer_question', { question_id: `question-${ask.id.slice(-8)} #2`, custom: 'mine' }),
  ]);
  expect(halves[0].ok).toBe(true);
  expect(halves[1].error).toBeUndefined();
  const done = await eventually(async () => {
    const now = await closed(ask.id);
    return now.delivery === 'applied' && now;
  });
  expect(done).toMatchObject({ status: 'answered' });
  expect(done.answers?.map(({ byName }) => byName).toSorted()).toEqual(['driver', 'owner']);
});

it('lets one of two answers win that come at once', async () => {
  const id = await session('DO_ESCALATE race');
  const ask = await askOf(id);
  const vote = (answer: string) => flow.owner.request('POST', `/api/asks/${ask.id}/votes`, { answer, digest: ask.digest });
  const both = await Promise.all([vote('approve'), vote('deny')]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(
    [201, 409].map((status) => (status === 201 ? both.find(({ ok }) => ok)?.status : status)),
  );
  const end = await eventually(async () => {
    const now = await closed(ask.id);
    return now.delivery === 'applied' && now;
  });
  expect(['approved', 'denied']).toContain(end.status);
});

it('settles an ask whose turn is cancelled while it is answered', async () => {
  const id = await session('DO_ESCALATE cancel');
  const ask = await askOf(id);
  const [vote] = await Promise.all([
    flow.owner.request('POST', `/api/asks/${ask.id}/votes`, { answer: 'approve', digest: ask.digest }),
    call('dsh_cancel_task', { session_id: id }),
  ]);
  const end = await eventually(async () => {
    const now = await closed(ask.id);
    return now.status !== 'open' && now.delivery !== 'sent' && (now.status === 'cancelled' || now.delivery !== 'none') && now;
  });
  expect(vote.ok ? ['approved'] : ['cancelled']).toContain(end.status);
  expect(await openAsks()).not.toContainEqual(expect.objectContaining({ id: ask.id }));
});

it('keeps the lifecycle of a goal', async () => {
  const made = await goal('DO_SLOW one');
  const id = String(made['session_id']);
  expect(made).toMatchObject({
    existing_goal_reused: false,
    continuation_required: true,
    next_tool_call: { name: 'dsh_wait_goal', arguments: { session_id: id } },
    goal: { revision: 1, objective: 'DO_SLOW one', phase: 'active', activation: 'armed', max_rounds: 3 },
    goal_outcome: 'active',
  });
  expect(await goal('DO_SLOW one')).toMatchObject({ session_id: id, existing_goal_reused: true, goal: { revision: 1 } });
  expect((await call('dsh_create_goal', { workspace: flow.workspaceId, goal: 'another' })).error?.code).toBe('GOAL_ALREADY_EXISTS');
  expect((await call('dsh_pause_goal', { session_id: id, expected_revision: 7 })).error?.code).toBe('REVISION_CONFLICT');
  expect(await call('dsh_get_task_status', { session_id: id })).toMatchObject({ status: 'running' }); // a stale pause ends nothing
  const waited = await call('dsh_wait_goal', { session_id: id, wait_seconds: 1 });
  expect(waited).toMatchObject({ continuation_required: true, goal_outcome: 'active' });
  expect(await call('dsh_pause_goal', { session_id: id, expected_revision: 1 })).toMatchObject({
    goal: { revision: 2, phase: 'paused' },
    goal_outcome: 'paused',
  });
  expect(await call('dsh_revise_goal', { session_id: id, goal: 'DO_COMPLETE it', expected_revision: 2 })).toMatchObject({
    goal: { revision: 3, objective: 'DO_COMPLETE it' },
  });
  await call('dsh_resume_goal', { session_id: id });
  expect(await call('dsh_wait_goal', { session_id: id, wait_seconds: 5 })).toMatchObject({ goal_outcome: 'complete', terminal: true });
  expect((await call('dsh_resume_goal', { session_id: id })).error?.code).toBe('GOAL_INVALID_TRANSITION');
  const replaced = await call('dsh_create_goal', { workspace: flow.workspaceId, goal: 'DO_COMPLETE again' });
  expect(replaced).toMatchObject({ session_id: id, how: 'replaced', goal: { revision: 1 } });
  await call('dsh_wait_goal', { session_id: id, wait_seconds: 5 });
  expect(await call('dsh_stop_goal', { session_id: id })).toMatchObject({ already_stopped: true });
});

it('replays a request by its id, and refuses another call with it', async () => {
  const args = { workspace: flow.workspaceId, goal: 'DO_SLOW replay', workspace_lock_override: true, request_id: 'r-1' };
  const first = await call('dsh_create_goal', args);
  const again = await call('dsh_create_goal', args);
  expect(again).toEqual(first);
  expect((await call('dsh_create_goal', { ...args, goal: 'other' })).error?.code).toBe('REQUEST_ID_CONFLICT');
  expect(await call('dsh_stop_goal', { session_id: first['session_id'] })).toMatchObject({
    stopped: true,
    goal: null,
    already_stopped: false,
  });
});

it('stops everything, and lets nothing start until a person releases it', async () => {
  const made = await goal('DO_SLOW stop');
  const { ended } = (await flow.owner.post('/api/relay/stops', { workspaceId: null, reason: 'drill' })) as { ended: number };
  expect(ended).toBeGreaterThanOrEqual(1);
  expect(await call('dsh_get_task_status', { session_id: made['session_id'] })).toMatchObject({ goal: { phase: 'paused' } });
  expect((await call('dsh_resume_goal', { session_id: made['session_id'] })).error?.code).toBe('GOALS_STOPPED');
  expect(await call('dsh_health')).toMatchObject({
    stopped: [{ workspace_id: null, reason: 'drill' }],
    capabilities: { autoApproveEscalations: false },
  });
  await flow.owner.request('DELETE', '/api/relay/stops', { workspaceId: null });
  expect((await call('dsh_stop_goal', { session_id: made['session_id'] })).error).toBeUndefined();
});

it('answers the same over REST', async () => {
  const answer = (await flow.owner.post('/api/relay/tools/dsh_list_workspaces', { arguments: {} })) as {
    workspaces: readonly { id: string }[];
  };
  expect(answer.workspaces[0]?.id).toBe(flow.workspaceId);
  const log = (await flow.owner.get(`/api/relay/sessions/${await session('say ok')}/log?since=0`)) as { items: readonly { seq: number }[] };
  expect(log.items[0]?.seq).toBe(0);
});

it('settles what dies with its host, and keeps its sessions readable', async () => {
  const parked = [await session('DO_ESCALATE die'), await session('DO_ESCALATE die too')];
  const asks = [await askOf(parked[0] ?? ''), await askOf(parked[1] ?? '')];
  const running = String((await goal('DO_SLOW die'))['session_id']);
  await eventually(async () => ((await call('dsh_get_session', { session_id: running }))['messages'] as readonly unknown[]).length > 0);
  const waiting = call('dsh_wait_goal', { session_id: running, wait_seconds: 30 });
  const startedAt = Date.now();
  flow.host.die();
  await waiting;
  for (const { id } of asks) {
    const end = await eventually(async () => {
      const now = await closed(id);
      return now.status !== 'open' && now;
    });
    expect(end).toMatchObject({ status: 'host_gone' });
  }
  expect(Date.now() - startedAt).toBeLessThan(5_000);
  expect((await call('dsh_send_message', { session_id: running, message: 'hello' })).error?.code).toBe('HOST_UNAVAILABLE');
  await flow.hosts.connect(flow.hostId);
  const after = await call('dsh_get_task_status', { session_id: running });
  expect(after).toMatchObject({
    live: false,
    status: 'interrupted',
    goal: { activation: 'disarmed' },
    waiting: { approvals: [], questions: [] },
  });
  const shown = await call('dsh_get_session', { session_id: parked[0] });
  expect(shown).toMatchObject({ waiting: { approvals: [{ source: 'log', approval_id: null }] } });
});
