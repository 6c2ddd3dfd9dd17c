import { jest } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { CreatedToken, Plan, Scope } from '#contracts';
import { Policy } from '#policy';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { type Answer, type PlanAnswer, refOf, until, vote } from '../support/flow.js';
import {
  type ClientOptions,
  type HttpTarget,
  legacyOverHttp,
  legacyOverStdio,
  modernOverHttp,
  modernOverStdio,
  statelessLegacyOverHttp,
} from '../support/mcp-clients.js';
import { cli } from '../support/server.mjs';
import { verifies } from '../support/verifies.js';

jest.setTimeout(90_000);

let api: Booted;
let owner: ConsoleClient;
/** Acts for its person: decides and runs what others have planned. */
let deputy: string;

beforeAll(async () => {
  api = await boot({ env: { MAX_CONCURRENT_SESSIONS: '100' } });
  owner = await api.owner();
  const scopes: Scope[] = ['admin', 'approvals:decide', 'terminal:plan', 'terminal:execute'];
  deputy = ((await owner.post('/api/tokens', { name: 'deputy', scopes })) as CreatedToken).secret;
  writeFileSync(join(api.workspace, 'steps.sh'), '#!/bin/sh\nfor i in 1 2 3; do echo step $i; sleep 1; done\n', { mode: 0o755 });
});
afterAll(() => api.close());

type AnyClient = Awaited<ReturnType<typeof modernOverHttp>> | Awaited<ReturnType<typeof legacyOverHttp>>;
type Connect = (options: ClientOptions) => Promise<AnyClient>;
interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (progress: Heard) => void;
}
interface Heard {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

const overHttp = (open: (target: HttpTarget) => Promise<AnyClient>, token: () => string): Connect => {
  return (options) => open({ url: `${api.url}/mcp`, token: token(), ...options });
};
const overStdio = (open: typeof modernOverStdio | typeof legacyOverStdio): Connect => {
  return (options) => {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, COUNTERSIGN_DATA: api.dataDir, LOG_LEVEL: 'error', PUBLIC_URL: api.url };
    return open({ command: process.execPath, args: [cli, 'stdio'], env, ...options });
  };
};
const agentToken = (): string => api.agentToken;
const modern = ['modern, HTTP', overHttp(modernOverHttp, agentToken)] as const;
const legacy = ['legacy with a session, HTTP', overHttp(legacyOverHttp, agentToken)] as const;
const stateless = ['legacy without a session, HTTP', overHttp(statelessLegacyOverHttp, agentToken)] as const;
const lines = [
  ['modern, STDIO', overStdio(modernOverStdio)],
  ['legacy, STDIO', overStdio(legacyOverStdio)],
] as const;

/** The two SDKs take the same options at different places. */
async function call(client: AnyClient, name: string, args: object, options: CallOptions = {}): Promise<Answer> {
  const params = { name, arguments: args as Record<string, unknown> };
  const sent = client instanceof LegacyClient ? client.callTool(params, undefined, options) : client.callTool(params, options);
  return (await sent).structuredContent as Answer;
}

async function approved(client: AnyClient, argv: readonly string[]): Promise<PlanAnswer> {
  const { session_id } = await call(client, 'terminal_open_session', {});
  const planned = (await call(client, 'terminal_plan', { argv, session_id })) as unknown as PlanAnswer;
  if (planned.status === 'awaiting_approval') await vote(owner, planned);
  return planned;
}

const planNow = async ({ plan_id }: PlanAnswer): Promise<Plan> => (await owner.get(`/api/plans/${plan_id}`)) as Plan;

describe.each([modern, legacy, stateless, ...lines])('a %s client', (name, connect) => {
  verifies('mcp:progress', name, async () => {
    const client = await connect({});
    const planned = await approved(client, ['./steps.sh']);
    const heard: Heard[] = [];
    const finished = await call(client, 'terminal_execute', refOf(planned), { onprogress: (progress) => void heard.push(progress) });
    expect(finished.receipt).toMatchObject({ status: 'succeeded', stdout: 'step 1\nstep 2\nstep 3\n' });
    expect(heard.length).toBeGreaterThanOrEqual(2);
    const steps = heard.map(({ progress }) => progress);
    expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other)); // only forward
    expect(heard[0]).toMatchObject({ total: 120, message: expect.stringMatching(/^Running/) as string });
    await client.close();
  });
});

describe.each([modern, legacy, ...lines])('a %s client that takes its call back', (name, connect) => {
  verifies('mcp:cancel-own', `${name}, the run that the call has started`, async () => {
    const client = await connect({});
    const bystander = await connect({});
    const other = await approved(bystander, ['sleep', '31']);
    const others = call(bystander, 'terminal_execute', refOf(other));
    const planned = await approved(client, ['sleep', '32']);
    const leaving = new AbortController();
    const running = call(client, 'terminal_execute', refOf(planned), { signal: leaving.signal }).catch(() => 'left');
    for (const each of [planned, other])
      await until('both runs', async () =>
        ((await owner.get('/api/runs?active=true')) as { items: { planId: string }[] }).items.find(({ planId }) => planId === each.plan_id),
      );
    leaving.abort();
    expect(await running).toBe('left');
    await until('the end of the run', async () => ((await planNow(planned)).status === 'cancelled' ? true : undefined));
    expect(await call(client, 'terminal_wait', refOf(planned))).toMatchObject({
      receipt: { status: 'cancelled' },
      evidence: { details: { ended_by: 'request_closed' } },
    });
    expect((await planNow(other)).status).toBe('running');
    await call(bystander, 'terminal_cancel', refOf(other));
    expect(await others).toMatchObject({ receipt: { status: 'cancelled' }, evidence: { details: { ended_by: 'caller' } } });
    await Promise.all([client.close(), bystander.close()]);
  });
});

const deputies = [
  ['modern, HTTP', overHttp(modernOverHttp, () => deputy)],
  ['legacy with a session, HTTP', overHttp(legacyOverHttp, () => deputy)],
] as const;

/** A policy that asks before it lets anyone say something: low risk, and still a person's decision. */
function askBeforeSaying(): void {
  const policy = api.app.get(Policy);
  const decide = policy.decide.bind(policy);
  policy.decide = (question) => {
    const decision = decide(question);
    return question.stages[0]?.argv[0] === 'echo' ? { ...decision, outcome: 'ask' } : decision;
  };
}

describe.each(deputies)('a %s client that fills in forms', (name, connect) => {
  const word = `form-${name.replaceAll(/\W+/g, '-')}`;

  beforeAll(askBeforeSaying);

  async function waiting(client: AnyClient, ...argv: string[]): Promise<PlanAnswer> {
    const planned = await call(client, 'terminal_plan', { argv });
    expect(planned).toMatchObject({ status: 'awaiting_approval', decision: { outcome: 'ask' } });
    return planned as unknown as PlanAnswer;
  }

  function answering(content: Record<string, string> | undefined, asked: unknown[]): ClientOptions {
    return {
      elicitation: { form: {} },
      answer: (params) => {
        asked.push(params);
        return content === undefined ? { action: 'decline' } : { action: 'accept', content };
      },
    };
  }

  verifies('mcp:form', `${name}, approve`, async () => {
    const asked: { message?: string }[] = [];
    const client = await connect(answering({ decision: 'approve' }, asked));
    const planned = await waiting(await api.mcp(), 'echo', `${word} yes`);
    expect(await call(client, 'terminal_execute', refOf(planned))).toMatchObject({
      receipt: { status: 'succeeded', risk: 'low', stdout: `${word} yes\n` },
      evidence: { approvals: [{ name: 'deputy', channel: 'mcp', answer: 'approve' }] },
    });
    expect(asked.map(({ message }) => message)).toEqual([expect.stringContaining(`${word} yes`)]);
    await client.close();
  });

  verifies('mcp:form', `${name}, deny and decline`, async () => {
    const agent = await api.mcp();
    const denying = await connect(answering({ decision: 'deny' }, []));
    expect(await call(denying, 'terminal_execute', refOf(await waiting(agent, 'echo', `${word} no`)))).toMatchObject({
      error: { code: 'PLAN_REJECTED' },
    });
    const declining = await connect(answering(undefined, []));
    const open = await waiting(agent, 'echo', `${word} declined`);
    expect(await call(declining, 'terminal_execute', refOf(open))).toMatchObject({ status: 'pending_approval' });
    expect((await planNow(open)).status).toBe('awaiting_approval'); // no answer is no decision
    await Promise.all([denying.close(), declining.close()]);
  });

  verifies('mcp:form', `${name}, never for more than low risk, never for the one who asked`, async () => {
    const asked: unknown[] = [];
    const client = await connect(answering({ decision: 'approve' }, asked));
    for (const planned of [await waiting(await api.mcp(), 'touch', word), await waiting(client, 'echo', `${word} own`)])
      expect(await call(client, 'terminal_execute', refOf(planned))).toMatchObject({ status: 'pending_approval' });
    expect(asked).toEqual([]);
    await client.close();
  });
});
