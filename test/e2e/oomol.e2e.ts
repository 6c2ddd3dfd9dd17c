import type { Client } from '@modelcontextprotocol/client';
import type { ActionRun, Ask, Connector, ConnectorStatus, CreatedToken, Plan, ProviderDetail, ProviderList, ReceiptFile } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { databases } from '../support/engines.js';
import { OpenConnectorStub, type Fault } from '../support/open-connector.js';
import { seeded } from '../support/seeded.js';
import { verifies } from '../support/verifies.js';

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('It did not come to that');
}

type Fields = Record<string, unknown>;
const ROUNDS = 192;
/** Slow ones take a second each, so they come less often. */
const FAULTS: readonly Fault[] = ['none', 'none', 'drop_before', 'drop_before', 'drop_after', 'drop_after', 'error_500', 'error_500', 'html', 'html', 'slow', 'hang']; // prettier-ignore
const CANARIES = ['runtime-good', 'admin-good', 'canary-api-key', 'canary-extra', 'canary-client-secret', 'must-not-leak'];

describe.each(databases)('actions of a self-hosted connector, on %s', (_engine, open) => {
  const stub = new OpenConnectorStub();
  const heard: string[] = [];
  let api: Booted;
  let owner: ConsoleClient;
  let agent: Client;
  let connector: Connector;
  let workspace: string;
  let remove: () => Promise<void>;

  const op = async <T>(name: string, body: object): Promise<T> => {
    const answer = await owner.request('POST', `/api/oomol/${name}`, body);
    const text = await answer.text();
    heard.push(text);
    return (text === '' ? null : JSON.parse(text)) as T;
  };
  const tool = async (name: string, args: Fields): Promise<Fields> => {
    const result = await agent.callTool({ name, arguments: args });
    heard.push(JSON.stringify(result));
    return result.structuredContent as Fields;
  };
  const plan = (action = 'github.create_issue', more: Fields = {}): Promise<Fields> =>
    tool('connector_plan', { action, input: { owner: 'o', repo: 'r', title: `t${String(Math.random())}` }, ...more });
  const approve = async (planned: Fields): Promise<void> => {
    const ask = (await owner.get(`/api/asks/${String(planned['ask_id'])}`)) as Ask;
    await owner.post(`/api/asks/${ask.id}/votes`, { answer: 'approve', digest: ask.digest });
  };
  const execute = (planned: Fields): Promise<Fields> => tool('connector_execute', { plan_id: planned['plan_id'] });
  const errorOf = (answer: Fields): Fields => answer['error'] as Fields;
  const outcomeOf = (answer: Fields): Fields => {
    const { outcome, details, connector: fact, kind } = answer['evidence'] as Fields;
    return { outcome, kind, code: (details as Fields | undefined)?.['code'], fact };
  };

  beforeAll(async () => {
    await stub.start();
    const database = await open();
    remove = database.remove;
    api = await boot({ env: { ...database.env, EGRESS_PRIVATE_HOSTS: new URL(stub.url).host } });
    owner = await api.owner();
    const spaces = (await owner.get('/api/workspaces')) as { items: { id: string }[] };
    workspace = spaces.items[0]?.id ?? '';
    connector = await op('create', { name: 'team', endpoint: `${stub.url}/mcp`, workspaces: [workspace] });
    await op('key', { connector: connector.id, which: 'key', key: 'runtime-good' });
    const wish = { name: 'actions', scopes: ['connector:read', 'connector:use', 'receipts:read'] };
    const { secret } = (await owner.post('/api/tokens', wish)) as CreatedToken;
    agent = await api.mcp({ token: secret, path: '/mcp/connector' });
  });
  afterAll(async () => {
    await api.close();
    await stub.stop();
    await remove();
  });

  it('shows the safe view and a tested status, and warns of an endpoint that takes anyone', async () => {
    expect(await op('configuration', { connector: connector.id })).toEqual({
      ...{ mode: 'self-hosted', endpoint: `${stub.url}/mcp`, apiKeyEnv: 'OOMOL_CONNECT_RUNTIME_TOKEN', credentialRequired: false },
      ...{ connectionsManagement: 'external', consoleUrl: stub.url },
    });
    const status = await op<ConnectorStatus>('test', { connector: connector.id });
    expect(status).toMatchObject({
      phase: 'connected',
      errorCode: null,
      serverName: 'oomol-connect',
      serverVersion: '0.1.0',
      toolCount: 5,
    });
    expect(status).toMatchObject({ openToAnyone: false, protocolVersion: '2025-11-25', latencyMs: expect.any(Number) as number });
    const kept = [...stub.tokens];
    stub.tokens.clear();
    expect(await op('test', { connector: connector.id })).toMatchObject({ phase: 'connected', openToAnyone: true });
    for (const [token, id] of kept) stub.tokens.set(token, id);
    await op('test', { connector: connector.id });
  });

  it.each([
    [401, { phase: 'unauthorized', errorCode: 'unauthorized' }],
    [429, { phase: 'rate-limited', errorCode: 'rate-limited' }],
    [503, { phase: 'unavailable', errorCode: 'unavailable' }],
  ])('maps %d to a stable status, without a text of the other side', async (health, expected) => {
    stub.health = health;
    expect(await op('test', { connector: connector.id })).toMatchObject(expected);
    stub.health = 200;
    expect(await op('test', { connector: connector.id })).toMatchObject({ phase: 'connected' });
  });

  it('follows no redirect', async () => {
    const before = stub.requests.length;
    stub.redirectsTo = `${stub.url}/elsewhere`;
    expect(await op('test', { connector: connector.id })).toMatchObject({ phase: 'unavailable' });
    stub.redirectsTo = undefined;
    expect(stub.requests.slice(before).map(({ path }) => path)).not.toContain('/elsewhere');
    await op('test', { connector: connector.id });
  });

  it('lists providers and manages accounts only with an admin token, and echoes nothing', async () => {
    const list = await op<ProviderList>('providers', { connector: connector.id });
    expect(list.items.map(({ service, state, iconUrl }) => [service, state, iconUrl])).toEqual([
      ['github', 'connected', null],
      ['hackernews', 'not_connected', null],
    ]);
    const wish = { connector: connector.id, service: 'github', kind: 'api_key', connectionName: 'work' };
    const secrets = { apiKey: 'canary-api-key', extra: { host: 'canary-extra' } };
    expect(errorOf(await op<Fields>('connect', { ...wish, ...secrets }))).toMatchObject({ details: { reason: 'unsupported' } });
    await op('key', { connector: connector.id, which: 'admin_token', key: 'admin-good' });
    expect(await op('connect', { ...wish, ...secrets })).toMatchObject({ account: { connectionName: 'work', status: 'active' } });
    expect(errorOf(await op<Fields>('connect', { ...wish, apiKey: 'bad' }))).toMatchObject({ details: { reason: 'request_failed' } });
    const detail = await op<ProviderDetail>('provider', { connector: connector.id, service: 'github' });
    expect(detail).toMatchObject({ accounts: 2, apiKey: { extraFields: [{ key: 'host', secret: false }] }, oauth: { isReady: true } });
    const work = detail.connected.find(({ connectionName }) => connectionName === 'work');
    expect(await op('set-default', { connector: connector.id, accountId: work?.id })).toMatchObject({ isDefault: true });
    expect((await plan('github.get_current_user', { input: {} }))['account']).toMatchObject({ id: work?.id });
    expect(await op('connect', { connector: connector.id, service: 'github', kind: 'oauth2' })).toEqual({
      authorizationUrl: 'https://github.com/login/oauth/authorize?x=1',
    });
    await op('oauth-client', { connector: connector.id, service: 'github', clientId: 'c', clientSecret: 'canary-client-secret' });
    await op('disconnect', { connector: connector.id, accountId: work?.id });
    await op('set-default', { connector: connector.id, accountId: 'acc-1' });
    const bad = { connector: connector.id, service: '../../etc', kind: 'no_auth' };
    const before = stub.requests.length;
    expect(errorOf(await op<Fields>('connect', bad))).toMatchObject({ details: { reason: 'invalid_request' } });
    expect(stub.requests.length).toBe(before);
  });

  it('finds, describes and plans actions for agents, and offers nothing that runs one directly', async () => {
    const { tools } = await agent.listTools();
    expect(
      tools
        .map(({ name }) => name)
        .filter((name) => name !== 'whoami')
        .sort(),
    ).toEqual(
      ['connector_execute', 'connector_guide', 'connector_plan', 'connector_search', 'connector_status', 'connector_wait'], // prettier-ignore
    );
    expect(await tool('connector_status', {})).toMatchObject({ connectors: [{ name: 'team', phase: 'connected', connections_total: 1 }] });
    expect(await tool('connector_search', { query: 'issue', limit: 2 })).toMatchObject({
      total: 4,
      actions: [{ id: 'github.create_issue' }, {}],
    });
    expect(await tool('connector_guide', { action: 'github.create_issue' })).toMatchObject({
      effect: { effect: 'write' },
      input_schema: { required: ['owner', 'repo', 'title'] },
    });
    expect(errorOf(await tool('connector_guide', { action: 'nope.nope' }))).toMatchObject({ code: 'ACTION_NOT_FOUND' });
    expect(await plan()).toMatchObject({
      status: 'awaiting_approval',
      decision: { outcome: 'ask', risk: 'medium' },
      account: { id: 'acc-1' },
    });
    expect(await plan('github.run_query')).toMatchObject({
      status: 'awaiting_approval',
      effect: { effect: 'unknown' },
      decision: { risk: 'high' },
    });
    expect(await plan('github.get_current_user', { input: {} })).toMatchObject({ status: 'approved', decision: { outcome: 'allow' } });
  });

  it('calls an approved action once, with the id of its run as key, and writes a receipt', async () => {
    const planned = await plan();
    expect(errorOf(await tool('connector_wait', { plan_id: planned['plan_id'], wait_ms: 0 }))).toBeUndefined();
    await approve(planned);
    const before = stub.calls.length;
    const receipt = await execute(planned);
    expect(outcomeOf(receipt)).toMatchObject({ outcome: 'succeeded', kind: 'connector', code: 'ok' });
    const { run_id, connector: fact, details } = receipt['evidence'] as Fields;
    expect(stub.calls.slice(before).map(({ headers }) => headers['idempotency-key'])).toEqual([run_id]);
    expect(fact).toMatchObject({ provider: 'github', action: 'github.create_issue', connection: 'acc-1', execution_id: expect.any(String) as string }); // prettier-ignore
    expect(details).toMatchObject({ audit_persisted: true, effect: 'write', output: expect.stringContaining('number') as string });
    expect(errorOf(await execute(planned))).toMatchObject({ code: 'PLAN_ALREADY_RUN' });
    expect(stub.calls.length).toBe(before + 1);
  });

  verifies('connector:stale', async () => {
    const swapped = await plan();
    await approve(swapped);
    const known = stub.accounts.get('acc-1');
    if (known) stub.accounts.set('acc-1', { ...known, accountId: 'somebody-else' });
    const before = stub.calls.length;
    expect(errorOf(await execute(swapped))).toMatchObject({ code: 'PLAN_STALE', details: { changed: ['account'] } });
    if (known) stub.accounts.set('acc-1', known);
    const changed = await plan();
    await approve(changed);
    const { schema } = stub;
    stub.schema = { ...schema, required: ['owner'] };
    expect(errorOf(await execute(changed))).toMatchObject({ code: 'PLAN_STALE', details: { changed: ['schema'] } });
    stub.schema = schema;
    expect(stub.calls.length).toBe(before);
  });

  verifies('connector:unknown', async () => {
    const planned = await plan();
    await approve(planned);
    stub.fault = 'drop_after';
    const before = stub.calls.length;
    expect(outcomeOf(await execute(planned))).toMatchObject({ outcome: 'unknown' });
    const { items } = await op<{ items: ActionRun[] }>('runs', { connector: connector.id, status: 'unknown' });
    const run = items[0]?.runId;
    expect(stub.calls.length).toBe(before + 1);
    expect(errorOf(await execute(planned))).toMatchObject({ code: 'PLAN_ALREADY_RUN' });
    const looked = await op<ActionRun>('look', { run });
    expect(looked.findings.map(({ kind, text }) => `${kind}: ${text}`)).toEqual([
      'replay: The connector answered: succeeded (ok)',
      "run_log: The connector's log says: succeeded (ok)",
    ]);
    const settled = await op<ActionRun>('settle', { run, outcome: 'succeeded', note: 'The issue is there.' });
    expect(settled).toMatchObject({ status: 'unknown', resolution: { outcome: 'succeeded', note: 'The issue is there.' } });
    const second = (await owner.get(`/api/receipts/${settled.resolution?.receiptId ?? ''}`)) as ReceiptFile;
    expect(second.evidence).toMatchObject({ kind: 'connector', outcome: 'succeeded', details: { resolves: expect.any(String) as string } });
    expect(await owner.get(`/api/plans/${String(planned['plan_id'])}`)).toMatchObject({ status: 'succeeded' } satisfies Partial<Plan>);
    expect(errorOf(await op<Fields>('settle', { run, outcome: 'failed', note: 'no, it is not' }))).toMatchObject({
      code: 'ACTION_RUN_SETTLED',
    });
  });

  it('retries what only reads, and a refusal without effect is failed', async () => {
    stub.fault = 'error_500';
    const read = await plan('github.get_current_user', { input: {} });
    const before = stub.calls.length;
    expect(outcomeOf(await execute(read)).outcome).toMatch(/succeeded|failed/);
    expect(stub.calls.length).toBeGreaterThan(before + 1);
    const wrong = await tool('connector_plan', { action: 'github.create_issue', input: { owner: 'o' } });
    await approve(wrong);
    expect(outcomeOf(await execute(wrong))).toMatchObject({ outcome: 'failed', code: 'invalid_input' });
  });

  it('mints a runtime token of its own that blocks what policy denies, and always keeps one alive', async () => {
    const yaml = `name: team
rules:
  - name: no-delete
    match: { connector_action: github.delete_repository }
    outcome: deny
    reason: Never.
  - name: issues-run
    match: { connector_action: github.create_issue, connector: team, mode: confirm }
    outcome: allow
    reason: Issues are harmless.
`;
    await op('change', { connector: connector.id, leastPrivilege: true });
    await owner.post('/api/policy/versions', { yaml, previous: 0, note: 'connectors' });
    await until(() => stub.tokenBodies.length > 0);
    await until(async () => (await owner.request('POST', '/api/oomol/rotate-token', { connector: connector.id })).status === 204);
    expect(stub.tokenBodies.at(-1)).toMatchObject({ allowedProxies: [], blockedActions: ['github.delete_repository'] });
    expect(stub.tokens.size).toBe(2);
    expect(await op('test', { connector: connector.id })).toMatchObject({ phase: 'connected' });
    expect(await plan('github.delete_repository')).toMatchObject({ status: 'blocked', decision: { outcome: 'deny' } });
    const allowed = await plan();
    expect(allowed).toMatchObject({ status: 'approved', decision: { outcome: 'allow' } });
    const before = stub.calls.length;
    expect(outcomeOf(await execute(allowed))).toMatchObject({ outcome: 'succeeded' });
    expect(stub.calls.at(before)?.headers.authorization).toMatch(/^Bearer oct_/);
  });

  it('keeps tokens out of its routes, and connectors out of other workspaces', async () => {
    const headers = { authorization: `Bearer ${api.agentToken}`, 'content-type': 'application/json' };
    const answer = await api.fetch('/api/oomol/connectors', { method: 'POST', headers, body: '{}' });
    expect(answer.status).toBe(403);
    const noToken = await owner.request('POST', '/api/oomol/connectors', {}, { 'x-csrf-token': 'wrong' });
    expect(noToken.status).toBe(403);
    await op('change', { connector: connector.id, workspaces: [] });
    expect(errorOf(await plan())).toMatchObject({ code: 'CONNECTOR_NOT_FOUND' });
    await op('change', { connector: connector.id, workspaces: [workspace] });
  });

  verifies('connector:once', async () => {
    await op('change', { connector: connector.id, toolCallTimeoutMs: 1_000, leastPrivilege: false });
    const pick = seeded(20_261_130);
    const seen = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round += 1) {
      const fault = FAULTS[Math.floor(pick() * FAULTS.length)] ?? 'none';
      const title = `round ${String(round)}`;
      const planned = await plan('github.create_issue', { input: { owner: 'o', repo: 'r', title } });
      stub.fault = fault;
      stub.slowMs = 1_300;
      const answer = await execute(planned);
      const key = String((answer['evidence'] as Fields)['run_id']);
      expect(stub.calls.filter(({ headers }) => headers['idempotency-key'] === key)).toHaveLength(1);
      expect(stub.effects.filter((effect) => effect.includes(`"${title}"`))).toHaveLength(fault === 'drop_before' ? 0 : 1);
      expect([fault, outcomeOf(answer)['outcome']]).toEqual([fault, fault === 'none' ? 'succeeded' : 'unknown']);
      seen.set(fault, (seen.get(fault) ?? 0) + 1);
    }
    expect([...seen.keys()].sort()).toEqual([...new Set(FAULTS)].sort());
  });

  verifies('connector:no-secrets', async () => {
    const receipts = (await owner.get('/api/receipts')) as { items: { id: string }[] };
    for (const { id } of receipts.items) heard.push(JSON.stringify(await owner.get(`/api/receipts/${id}`)));
    heard.push(JSON.stringify(await op('connectors', {})));
    for (const canary of CANARIES) expect(heard.filter((text) => text.includes(canary))).toEqual([]);
    expect(heard.length).toBeGreaterThan(60);
  });
});
