import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { policyData, policyRoutes } from './fake-policy.mjs';
import { id, people, sample, vote } from './sample-data.mjs';
import { canonical, key } from './signed-receipt.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";

/** Serves the built console and answers its calls from memory, for layout and hostile text only. The workflow runs on the product. */
export async function startFake(over = {}) {
  const data = {
    me: people.me,
    csrf: 'csrf',
    hasOwner: true,
    webhooks: [webhook('ops-channel'), webhook('old-pager', { isEnabled: false, stopped: 'The receiver says that it is gone (410)' })],
    ...sample(),
    policy: policyData(),
    ...over,
  };
  const state = { seq: 100, events: [], viewers: new Set(), runViewers: new Set(), calls: [], isDown: false };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error) =>
      json(response, 500, { error: { code: 'INTERNAL', message: String(error), retry: 'later', details: {} } }),
    );
  });

  async function answer(request, response) {
    const url = new URL(request.url, 'http://fake');
    response.setHeader('content-security-policy', POLICY);
    if (!url.pathname.startsWith('/api/')) return file(url.pathname, response);
    if (state.isDown) return void request.socket.destroy();
    const body = await read(request);
    const call = `${request.method} ${url.pathname.slice(5)}`;
    if (request.method !== 'GET') state.calls.push({ call, body, csrf: request.headers['x-csrf-token'] });
    for (const [pattern, handle] of routes) {
      const match = pattern.exec(call);
      if (match) return handle({ response, request, url, body, match });
    }
    json(response, 404, { error: { code: 'ROUTE_NOT_FOUND', message: call, retry: 'never', details: {} } });
  }

  const plans = () => [...data.plans, data.runPlan];
  const asks = () => [...data.asks, data.runAsk];
  const refuse = (response, status, code, details = {}) =>
    json(response, status, { error: { code, message: code, retry: 'never', details } });

  const policy = policyRoutes(data.policy, { json, refuse, found, emit });

  const routes = [
    ...policy.routes,
    [/^GET auth\/state$/, ({ response }) => json(response, 200, { hasOwner: data.hasOwner, me: data.me, csrfToken: data.me && data.csrf })],
    [
      /^POST auth\/login$/,
      ({ response, body }) =>
        body.password === 'right horse battery'
          ? ((data.me = people.me), json(response, 200, {}))
          : refuse(response, 401, 'CREDENTIALS_INVALID'),
    ],
    [/^POST auth\/welcome$/, ({ response }) => ((data.me = people.me), (data.hasOwner = true), json(response, 200, {}))],
    [/^POST auth\/logout$/, ({ response }) => ((data.me = null), json(response, 204))],
    [/^GET workspaces$/, ({ response }) => json(response, 200, { items: data.spaces, seq: state.seq })],
    [
      /^PATCH workspaces\/(.+)$/,
      ({ response, match, body }) =>
        json(
          response,
          200,
          Object.assign(
            data.spaces.find((one) => one.id === match[1]),
            body,
          ),
        ),
    ],
    [
      /^GET system$/,
      ({ response }) =>
        json(response, 200, {
          version: '0.1.0',
          startedAt: Date.now() - 5e6,
          database: 'sqlite',
          sandbox: data.plans[0].sandbox,
          sandboxAdvice: null,
          enforcement: 'full',
          mcpUrl: 'http://127.0.0.1:7300/mcp',
        }),
    ],
    [
      /^GET asks$/,
      ({ response, url }) =>
        json(response, 200, {
          items: asks().filter((ask) => (ask.status === 'open') === (url.searchParams.get('state') === 'open')),
          seq: state.seq,
          next: null,
        }),
    ],
    [
      /^GET asks\/([^/]+)$/,
      ({ response, match }) =>
        found(
          response,
          asks().find((ask) => ask.id === match[1]),
          'ASK_NOT_FOUND',
        ),
    ],
    [/^POST asks\/([^/]+)\/votes$/, voteOn],
    [/^GET plans$/, ({ response }) => json(response, 200, { items: plans(), next: null })],
    [
      /^GET plans\/([^/]+)$/,
      ({ response, match }) =>
        found(
          response,
          plans().find((plan) => plan.id === match[1]),
          'PLAN_NOT_FOUND',
        ),
    ],
    [/^POST plans$/, makePlan],
    [/^GET runs$/, ({ response }) => json(response, 200, { items: data.run.status === 'ended' ? [] : [data.run], seq: state.seq })],
    [/^GET runs\/([^/]+)$/, ({ response, match }) => found(response, data.run.id === match[1] ? data.run : undefined, 'RUN_NOT_FOUND')],
    [
      /^GET runs\/[^/]+\/output$/,
      ({ response, url }) =>
        json(response, 200, {
          items: data.output.filter((chunk) => chunk.seq > Number(url.searchParams.get('after') ?? 0)),
          ended: data.run.status === 'ended',
        }),
    ],
    [/^GET runs\/[^/]+\/stream$/, ({ response }) => stream(response, state.runViewers)],
    [/^POST runs\/[^/]+\/(pause|resume|cancel)$/, tellRun],
    [/^GET receipts$/, ({ response, url }) => json(response, 200, page(url))],
    [/^GET receipts\/keys$/, ({ response }) => json(response, 200, [{ ...key, createdAt: 0, retiredAt: null }])],
    [
      /^GET receipts\/verifier$/,
      ({ response }) =>
        send(response, 200, 'text/javascript; charset=utf-8', readFileSync(join(root, 'dist/server/countersign-verify.mjs'))),
    ],
    [/^GET receipts\/([^/]+)\/share$/, ({ response, match }) => json(response, 200, shared(data.receipts.get(match[1])))],
    [
      /^GET receipts\/([^/]+)$/,
      ({ response, match }) =>
        data.receipts.has(match[1])
          ? send(response, 200, 'application/json', canonical(data.receipts.get(match[1])))
          : refuse(response, 404, 'RECEIPT_NOT_FOUND'),
    ],
    [
      /^GET tokens$/,
      ({ response }) =>
        json(response, 200, {
          items: [
            token('release-bot', Date.now() - 60_000),
            token('docs-bot', null),
            { ...token('old-bot', null), revokedAt: Date.now() - 9e8 },
          ],
          seq: state.seq,
        }),
    ],
    [/^POST tokens$/, ({ response, body }) => json(response, 201, { token: token(body.name, null), secret: `csn_${'s'.repeat(43)}` })],
    [
      /^GET people$/,
      ({ response }) =>
        json(response, 200, {
          items: [
            person(people.me.id, 'approver', ['operator', 'approver', 'admin']),
            {
              ...person(people.other.id, 'second approver', ['approver']),
              hasSecondFactor: true,
              workspaceRoles: { [id()]: ['operator'] },
            },
          ],
          seq: state.seq,
        }),
    ],
    [
      /^GET people\/invites$/,
      ({ response }) =>
        json(response, 200, {
          items: [
            {
              id: id(),
              roles: ['viewer'],
              workspaceRoles: {},
              note: 'someone of operations',
              createdByName: 'approver',
              createdAt: Date.now() - 60_000,
              expiresAt: Date.now() + 9e7,
            },
          ],
          seq: state.seq,
        }),
    ],
    [/^GET people\/sign-in-rules$/, ({ response }) => json(response, 200, { secondFactorRoles: ['admin'] })],
    [/^GET auth\/sessions$/, ({ response }) => json(response, 200, { items: [signIn(true), signIn(false)] })],
    [
      /^GET auth\/factors$/,
      ({ response }) =>
        json(response, 200, {
          totp: { since: 1.7e12 },
          passkeys: [{ id: 'k', name: 'Laptop', createdAt: 1.7e12, lastUsedAt: Date.now() - 60_000 }],
          recoveryCodes: 9,
          passkeysPossible: true,
        }),
    ],
    [/^GET audit/, ({ response }) => json(response, 200, { items: [change()], next: null })],
    [
      /^POST auth\/link$/,
      ({ response }) => json(response, 200, { kind: 'invite', name: null, roles: ['viewer', 'approver'], expiresAt: Date.now() + 9e7 }),
    ],
    [/^GET webhooks$/, ({ response }) => json(response, 200, { items: data.webhooks, seq: state.seq })],
    [
      /^POST webhooks$/,
      ({ response, body }) => {
        data.webhooks.push(webhook(body.name));
        json(response, 201, { webhook: webhook(body.name), secret: `whsec_${'s'.repeat(32)}` });
      },
    ],
    [/^POST webhooks\/[^/]+\/test$/, ({ response }) => json(response, 200, delivery('dead'))],
    [
      /^GET webhooks\/[^/]+\/deliveries$/,
      ({ response }) => json(response, 200, { items: [delivery('dead'), delivery('delivered')], next: null }),
    ],
    [/^POST policy\/explain$/, ({ response, body }) => explain(response, body)],
    [/^GET events$/, ({ response, url }) => follow(response, Number(url.searchParams.get('after') ?? state.seq))],
  ];

  function explain(response, { mode }) {
    const { decision, body } = data.plans[0];
    const outcome = { inspect: 'deny', confirm: 'ask', trusted: 'ask' }[mode];
    const { reasons, rules, policyVersion } = decision;
    json(response, 200, {
      outcome,
      risk: outcome === 'deny' ? 'blocked' : 'high',
      reasons,
      rules,
      facts: decision.stages,
      stages: body.stages,
      mode,
      cwd: body.cwd,
      policyVersion,
    });
  }

  function voteOn({ response, match, body }) {
    const ask = data.asks.find((one) => one.id === match[1]);
    if (ask === undefined) return refuse(response, 404, 'ASK_NOT_FOUND');
    if (ask.status !== 'open')
      return refuse(response, 409, 'ASK_ALREADY_RESOLVED', { by: 'second approver', at: ask.resolvedAt, answer: 'approve' });
    if (ask.digest !== body.digest) return refuse(response, 409, 'ASK_DIGEST_MISMATCH');
    decide(ask, data.me, body.answer, body.reason ?? null);
    json(response, 200, ask);
  }

  /** What the server does when a person answers: the vote, the end of the ask, the plan's move, each as an event. */
  function decide(ask, by, answer, reason = null) {
    const given = vote(ask.id, by, answer, reason);
    ask.votes = [...ask.votes, given];
    emit({ type: 'ask.voted', askId: ask.id, vote: given });
    if (answer === 'approve' && ask.votes.filter((one) => one.answer === 'approve').length < ask.quorum) return;
    ask.status = answer === 'approve' ? 'approved' : 'denied';
    ask.resolvedAt = Date.now();
    const plan = data.plans.find((one) => one.id === ask.planId);
    plan.status = answer === 'approve' ? 'approved' : 'rejected';
    emit({ type: 'ask.closed', askId: ask.id, status: ask.status, by: by.name });
    emit({ type: 'plan.moved', planId: plan.id, status: plan.status, expiresAt: plan.expiresAt });
  }

  function makePlan({ response, body }) {
    const base = data.plans.find((one) => one.id === body.editedFrom) ?? data.plans[0];
    const argv = body.argv ?? body.command.split(' ');
    const made = {
      ...base,
      id: id(),
      owner: data.me.id,
      ownerName: data.me.name,
      askId: null,
      status: 'approved',
      editedFrom: body.editedFrom ?? null,
      createdAt: Date.now(),
      expiresAt: Date.now() + 9e5,
      decision: { ...base.decision, outcome: 'allow', risk: 'low' },
      body: { ...base.body, command: null, stages: [{ join: 'first', argv, redirects: [] }] },
    };
    data.plans.push(made);
    emit({ type: 'plan.created', plan: made });
    json(response, 201, made);
  }

  function tellRun({ response, match }) {
    if (match[1] === 'cancel') endRun('cancelled');
    else {
      data.run.status = match[1] === 'pause' ? 'paused' : 'running';
      emit({ type: 'run.moved', runId: data.run.id, planId: data.run.planId, status: data.run.status });
    }
    json(response, 200, data.run);
  }

  function endRun(outcome) {
    Object.assign(data.run, {
      status: 'ended',
      outcome,
      endedAt: Date.now(),
      receiptId: data.goodReceipt,
      exitCode: outcome === 'cancelled' ? null : 0,
      signal: outcome === 'cancelled' ? 15 : null,
    });
    Object.assign(data.runPlan, { status: outcome, receiptId: data.goodReceipt });
    for (const viewer of state.runViewers)
      viewer.write(`data: ${JSON.stringify({ type: 'ended', outcome, receiptId: data.goodReceipt })}\n\n`);
    emit({ type: 'run.ended', runId: data.run.id, planId: data.run.planId, outcome, receiptId: data.goodReceipt });
  }

  function print(streamName, text) {
    const chunk = { seq: data.output.length + 1, stream: streamName, text, at: Date.now() };
    data.output.push(chunk);
    for (const viewer of state.runViewers) viewer.write(`id: ${chunk.seq}\ndata: ${JSON.stringify({ type: 'output', ...chunk })}\n\n`);
  }

  function emit(body) {
    const event = { seq: (state.seq += 1), at: Date.now(), owner: people.bot.id, sessionId: null, ...body };
    state.events.push(event);
    for (const viewer of state.viewers) viewer.write(frame(event));
  }

  function follow(response, after) {
    stream(response, state.viewers);
    for (const event of state.events) if (event.seq > after) response.write(frame(event));
  }

  function page(url) {
    const q = url.searchParams.get('q')?.toLowerCase() ?? '';
    const outcome = url.searchParams.get('outcome');
    const all = data.summaries.filter(
      (one) => (q === '' || one.command.toLowerCase().includes(q)) && (outcome === null || one.outcome === outcome),
    );
    const from = Number(url.searchParams.get('before') ?? 0);
    const items = all.slice(from, from + 100);
    return { items, next: from + 100 < all.length ? String(from + 100) : null };
  }

  /** Cuts every connection and refuses new ones, as a server that went away. */
  function down() {
    state.isDown = true;
    for (const viewer of [...state.viewers, ...state.runViewers]) viewer.destroy();
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  return {
    data,
    calls: state.calls,
    emit,
    decide,
    savePolicy: policy.save,
    print,
    endRun,
    down,
    up: () => void (state.isDown = false),
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

const frame = (event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
const webhook = (name, changes = {}) => ({
  id: id(),
  name,
  format: 'slack',
  place: 'https://hooks.slack.example',
  routes: { types: ['ask.opened', 'ask.reminder'], workspaces: [], leastRisk: 'medium', deciders: [] },
  quietHours: null,
  isEnabled: true,
  stopped: null,
  createdAt: 1.7e12,
  changedAt: 1.7e12,
  ...changes,
});

const delivery = (status) => ({
  id: id(),
  webhookId: id(),
  type: 'ask.opened',
  title: 'Waiting for a decision: Run a command',
  status,
  attempts: status === 'dead' ? 9 : 1,
  nextAt: null,
  lastStatus: status === 'dead' ? 503 : 204,
  lastError: status === 'dead' ? 'The receiver answered 503' : null,
  createdAt: Date.now() - 60_000,
  endedAt: Date.now() - 50_000,
});

const person = (personId, name, roles) => ({
  id: personId,
  name,
  roles,
  workspaceRoles: {},
  hasSecondFactor: false,
  createdAt: 1.7e12,
  disabledAt: null,
});

const signIn = (isThis) => ({
  id: id(),
  device: isThis ? 'Firefox on Linux' : 'Safari on iOS',
  address: '192.0.2.7',
  createdAt: Date.now() - 9e6,
  seenAt: Date.now() - 60_000,
  expiresAt: Date.now() + 9e8,
  isThis,
});

const change = () => ({
  receiptId: id(),
  index: 41_201,
  at: Date.now() - 60_000,
  byId: people.me.id,
  byName: 'approver',
  channel: 'console',
  action: 'person.changed',
  summary: 'approver changed the roles of second approver to approver',
  before: { roles: ['viewer'], workspace_roles: {}, disabled: false },
  after: { roles: ['approver'], workspace_roles: {}, disabled: false },
  details: { person_id: people.other.id },
});

const token = (name, lastUsedAt) => ({
  id: id(),
  name,
  personId: people.me.id,
  scopes: ['terminal:plan', 'terminal:execute', 'receipts:read'],
  workspaces: null,
  toolFamilies: null,
  ratePerMinute: null,
  createdByName: 'approver',
  createdAt: 1.7e12,
  expiresAt: null,
  lastUsedAt,
  revokedAt: null,
  rotatedTo: null,
});

function shared(file) {
  const hidden = '[REDACTED FOR SHARING]';
  return {
    ...file,
    receipt: {
      ...file.receipt,
      command: hidden,
      cwd: hidden,
      stdout: hidden,
      stderr: hidden,
      policy: { ...file.receipt.policy, argv: [hidden] },
      sharing_redacted: true,
    },
  };
}

function stream(response, viewers) {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
  response.write('retry: 1000\n\n');
  viewers.add(response);
  response.on('close', () => viewers.delete(response));
}

function found(response, row, code) {
  if (row === undefined) json(response, 404, { error: { code, message: code, retry: 'never', details: {} } });
  else json(response, 200, row);
}

function json(response, status, value) {
  send(response, status, 'application/json', value === undefined ? '' : JSON.stringify(value));
}

function send(response, status, type, body) {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', 'x-request-id': 'fake-1' });
  response.end(body);
}

async function read(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return parts.length === 0 ? undefined : JSON.parse(Buffer.concat(parts).toString());
}

function file(path, response) {
  const name = extname(path) === '' ? '/index.html' : path;
  try {
    send(response, 200, TYPES[extname(name)] ?? 'application/octet-stream', readFileSync(join(root, 'dist/web/browser', name)));
  } catch {
    send(response, 404, 'text/plain', 'not found');
  }
}
