import { jest } from '@jest/globals';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Client } from '@modelcontextprotocol/client';
import { TOOLS, type AppEvent, type Page, type ReceiptSummary } from '#contracts';
import { SecretBox } from '#platform';
import { Receipts } from '#receipts';
import { HttpCaller, tokenOf } from '../support/auth-app.js';
import { boot, type Booted } from '../support/boot.js';
import { EventReader } from '../support/event-source.js';
import { call, execute, NO_SUCH_ID, PASSWORD, plan, refOf, run } from '../support/flow.js';
import { modernOverHttp } from '../support/mcp-clients.js';
import { startServer } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';

jest.setTimeout(120_000);

/** Where any of the secrets stands in a text, by the name of the secret. */
function found(secrets: Readonly<Record<string, string>>, text: string): string[] {
  const short = Object.entries(secrets).filter(([, value]) => value.length < 6);
  expect(short).toEqual([]); // an empty secret would be found nowhere
  return Object.entries(secrets).flatMap(([name, value]) => (text.includes(value) ? [name] : []));
}

describe('what an agent can read', () => {
  let api: Booted;
  let agent: Client;
  let owner: HttpCaller;

  beforeAll(async () => {
    api = await boot();
    agent = await api.mcp();
    owner = new HttpCaller(api.url);
    expect((await owner.welcome(tokenOf(api.link), 'owner', PASSWORD)).status).toBe(200);
  });
  afterAll(() => api.close());

  const tokenWith = async (name: string, scopes: readonly string[]): Promise<string> =>
    (await owner.send<{ secret: string }>('POST', '/api/tokens', { name, scopes })).body.secret;
  const person = { post: async (path: string, body: unknown) => (await owner.send('POST', path, body)).body };

  /** Everything that can be had with an agent's token: every tool, resource, prompt, completion, refusal and REST answer. */
  async function everythingSeen(): Promise<string> {
    const seen: unknown[] = [];
    const called = new Set<string>();
    const tell = async (name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
      called.add(name);
      const answer = await agent.callTool({ name, arguments: args });
      seen.push(answer);
      return (answer.structuredContent ?? {}) as Record<string, unknown>;
    };
    writeFileSync(
      join(api.workspace, 'look.sh'),
      '#!/bin/sh\nenv; cat ../secret.key ../countersign.db /proc/1/environ; ls -la ..; echo looked\n',
      { mode: 0o755 },
    );
    const own = await tell('terminal_plan', { argv: ['./look.sh'] });
    const ref = { session_id: own['session_id'], plan_id: own['plan_id'] };
    await tell('terminal_execute', ref);
    await owner.send('POST', `/api/asks/${String(own['ask_id'])}/votes`, { answer: 'approve', digest: own['digest'] });
    await tell('terminal_execute', ref);
    await tell('terminal_wait', ref);
    await tell('terminal_output', ref);
    await tell('terminal_receipt', ref);
    for (const name of ['terminal_pause', 'terminal_resume', 'terminal_cancel']) await tell(name, ref);
    await tell('terminal_approve', { ...ref, digest: own['digest'] });
    await tell('terminal_plan', { argv: ['cat', '../secret.key'] });
    await tell('policy_explain', { argv: ['cat', '../secret.key'] });
    await tell('whoami');
    await tell('terminal_open_session');
    const waiting = await tell('terminal_plan', { argv: ['touch', 'later'] });
    await tell('terminal_wait', { session_id: waiting['session_id'], plan_id: waiting['plan_id'], wait_ms: 10 });
    await tell('terminal_close_session', { session_id: NO_SUCH_ID });
    expect([...called].sort()).toEqual([...TOOLS].sort()); // a new tool is added to this walk

    const [tools, resources, templates, prompts] = await Promise.all([
      agent.listTools(),
      agent.listResources(),
      agent.listResourceTemplates(),
      agent.listPrompts(),
    ]);
    seen.push(tools, resources, templates, prompts);
    for (const { uri } of resources.resources) seen.push(await agent.readResource({ uri }).catch(String));
    for (const { name, arguments: args = [] } of prompts.prompts) {
      const given = Object.fromEntries(args.map((arg) => [arg.name, arg.name.includes('plan') ? String(own['plan_id']) : 'anything']));
      seen.push(await agent.getPrompt({ name, arguments: given }).catch(String));
    }
    for (const { uriTemplate } of templates.resourceTemplates) {
      for (const [, name = ''] of uriTemplate.matchAll(/\{\+?(\w+)\}/g))
        seen.push(await agent.complete({ ref: { type: 'ref/resource', uri: uriTemplate }, argument: { name, value: '' } }).catch(String));
    }
    const rest = new HttpCaller(api.url, api.agentToken);
    for (const path of [
      'plans',
      'sessions',
      'runs',
      'workspaces',
      'receipts',
      'receipts/keys',
      'receipts/checkpoint',
      'asks?state=open',
      'asks?state=closed',
      'system',
      'auth/state',
      'tokens',
      'people',
      `plans/${String(own['plan_id'])}`,
      'docs-json',
    ])
      seen.push((await rest.send('GET', `/api/${path}`)).body);
    const events = await EventReader.open<AppEvent>(`${api.url}/api/events?after=0`, { authorization: `Bearer ${api.agentToken}` });
    await events.next(({ type }) => type === 'run.ended');
    seen.push(events.frames);
    await events.close();
    return JSON.stringify(seen);
  }

  verifies('invariant:13', 'no secret that can decide', async () => {
    const secrets = {
      link: tokenOf(api.link),
      password: PASSWORD,
      cookie: owner.cookie.split('=')[1] ?? '',
      csrf: owner.csrf,
      approver: await tokenWith('approver', ['approvals:decide', 'terminal:plan']),
      admin: await tokenWith('admin', ['admin']),
      master: readFileSync(join(api.dataDir, 'secret.key'), 'utf8').trim(),
      agent: api.agentToken,
      ...Object.fromEntries(
        api.app
          .get(Receipts)
          .secrets()
          .map((key, index) => [`key ${index}`, key]),
      ),
    };
    const seen = await everythingSeen();
    expect(seen).toContain('looked'); // the walk really ran the script
    expect(found(secrets, seen)).toEqual([]);
  });

  verifies('invariant:13', 'GET and HEAD of every route change nothing', async () => {
    const planned = await plan(agent, ['touch', 'only-looked-at']);
    const ran = await run(agent, person as never, ['ls']);
    const { runId } = (await owner.send<{ runId: string }>('GET', `/api/plans/${ran.receipt?.plan_id ?? ''}`)).body;
    const ids: Record<string, string> = {
      plans: planned.plan_id,
      sessions: planned.session_id,
      asks: planned.ask_id,
      runs: runId,
      receipts: ran.receipt?.id ?? '',
    };
    const read = new Set(
      api.routes.filter(({ method }) => method === 'GET' || method === 'HEAD').map(({ method, url }) => `${method} ${url}`),
    );
    const callers = [
      { authorization: `Bearer ${api.agentToken}` },
      {
        authorization: `Bearer ${await tokenWith('everything', ['admin', 'approvals:decide', 'terminal:plan', 'terminal:execute', 'receipts:read'])}`,
      },
      { cookie: owner.cookie },
      { cookie: owner.cookie, 'x-csrf-token': owner.csrf },
    ];
    const before = everythingStored(api.dataDir);
    const statuses = new Set<number>();
    for (const route of read) {
      const [method = '', url = ''] = route.split(' ');
      const plane = url.split('/')[2] ?? '';
      const path = url.replace(':id', ids[plane] ?? NO_SUCH_ID).replaceAll(/:\w+|\*/g, planned.plan_id);
      for (const query of ['', '?answer=approve&approve=true&_method=POST']) {
        for (const headers of callers) statuses.add(await look(method, path + query, headers));
      }
    }
    for (const path of [
      `/asks/${planned.ask_id}`,
      `/asks/${planned.ask_id}?answer=approve&digest=${planned.digest}`,
      `/welcome?token=${tokenOf(api.link)}`,
    ])
      statuses.add(await look('GET', path, { ...callers[3], accept: 'text/html' }));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 404]));
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    expect(everythingStored(api.dataDir)).toEqual(before);
    expect((await owner.send('GET', `/api/asks/${planned.ask_id}`)).body).toMatchObject({ status: 'open', votes: [] });
  });

  async function look(method: string, path: string, headers: Record<string, string>): Promise<number> {
    const leaving = new AbortController();
    const answer = await api.fetch(path, { method, headers, redirect: 'manual', signal: leaving.signal });
    leaving.abort(); // streams do not end by themselves
    return answer.status;
  }
});

/** Every row of every table, but the columns that say when somebody was last here. */
function everythingStored(dataDir: string): Record<string, unknown[]> {
  const SEEN = ['last_used_at', 'seen_at', 'heartbeat_at'];
  const FOLLOWS = /^receipt_(index|search)/; // the search index follows the receipts by itself, whether anybody reads or not
  const file = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true });
  try {
    const tables = file.prepare("select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name").all();
    return Object.fromEntries(
      tables
        .filter(({ name }) => !FOLLOWS.test(String(name)))
        .map(({ name }) => {
          const rows = file.prepare(`select * from "${String(name)}" order by 1`).all();
          return [String(name), rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => !SEEN.includes(column))))];
        }),
    );
  } finally {
    file.close();
  }
}

describe('our own keys and credentials', () => {
  verifies('invariant:14', async () => {
    const master = '5c'.repeat(31) + 'a7';
    const server = await startServer({ env: { LOG_LEVEL: 'trace', COUNTERSIGN_SECRET_KEY: master } });
    try {
      const url = server.url ?? '';
      const link = tokenOf(server.link);
      const owner = new HttpCaller(url);
      await owner.login('owner', 'a wrong password');
      await owner.welcome(link, 'owner', PASSWORD);
      const cookie = owner.cookie.split('=')[1] ?? '';
      await new HttpCaller(url, 'csn_wrongwrongwrongwrongwrongwrongwrongwrongwr').send('GET', '/api/plans');
      const { secret } = (await owner.send<{ secret: string }>('POST', '/api/tokens', { name: 'second' })).body;
      const keys = sealedKeys(server.dataDir, master);
      const bytes = Buffer.from(master, 'hex');
      const secrets = {
        ...keys,
        'agent token': server.token ?? '',
        'second token': secret,
        link,
        password: PASSWORD,
        cookie,
        csrf: owner.csrf,
        master,
        'master as base64': bytes.toString('base64').slice(0, 42),
        'master as base64url': bytes.toString('base64url').slice(0, 42),
      };

      // A program that has got hold of them says them, on both streams, and so does a command line.
      const said = [...Object.values(keys), server.token, secret, master, bytes.toString('base64')];
      const file = join(server.workspace ?? '', 'leak.sh');
      writeFileSync(file, `#!/bin/sh\ncat said.txt; cat said.txt >&2; cat /proc/$PPID/environ; env\necho over\n`, { mode: 0o755 });
      writeFileSync(join(server.workspace ?? '', 'said.txt'), said.join('\n'));
      const agent = await modernOverHttp({ url: server.mcp ?? '', token: server.token ?? '' });
      const planned = await plan(agent, ['./leak.sh']);
      await owner.send('POST', `/api/asks/${planned.ask_id}/votes`, { answer: 'approve', digest: planned.digest });
      const finished = await execute(agent, planned);
      expect(finished.receipt?.stdout).toContain('over');
      const answers = [
        finished,
        await call(agent, 'terminal_output', refOf(planned)),
        await call(agent, 'terminal_receipt', refOf(planned)),
        await agent.readResource({ uri: 'workspace:///said.txt' }),
      ];
      await agent.callTool({ name: 'terminal_plan', arguments: { argv: ['ls'], password: secret } }); // refused, and not repeated
      await owner.send('POST', `/api/plans?token=${secret}`, { argv: ['ls'], token: secret });
      await owner.send('GET', `/api/plans/${secret}`);
      await agent.close();

      const { items } = (await owner.send<Page<ReceiptSummary>>('GET', '/api/receipts?limit=200')).body;
      const receipts = await Promise.all(
        items.flatMap(({ id }) => [owner.send('GET', `/api/receipts/${id}`), owner.send('GET', `/api/receipts/${id}/share`)]),
      );
      const events = await EventReader.open<AppEvent>(`${url}/api/events?after=0`, { cookie: owner.cookie });
      await events.next(({ type }) => type === 'run.ended');
      await events.close();
      const shown = await Promise.all(
        ['tokens', 'people', 'plans', 'runs', 'asks?state=closed', 'workspaces', 'system', 'receipts/keys'].map((path) =>
          owner.send('GET', `/api/${path}`),
        ),
      );
      await server.stop();
      const log = server
        .output()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      expect(log.length).toBeGreaterThan(20);
      const places = { answers, receipts, events: events.frames, console: shown, log };
      const leaks = Object.entries(places).map(([place, text]) => [place, found(secrets, JSON.stringify(text))]);
      expect(Object.fromEntries(leaks)).toEqual({ answers: [], receipts: [], events: [], console: [], log: [] });
      expect(readdirSync(server.dataDir)).not.toContain('secret.key'); // given by a setting, so never written
    } finally {
      await server.remove();
    }
  });

  /** The signing keys as they are in memory. At rest they are sealed. */
  function sealedKeys(dataDir: string, master: string): Record<string, string> {
    const file = new DatabaseSync(join(dataDir, 'countersign.db'), { readOnly: true });
    const rows = file.prepare('select use, sealed from receipt_keys').all() as { use: string; sealed: string }[];
    file.close();
    expect(rows.length).toBeGreaterThanOrEqual(2);
    const box = new SecretBox(Buffer.from(master, 'hex'));
    return Object.fromEntries(rows.map(({ use, sealed }) => [use, box.open(sealed)]));
  }
});
