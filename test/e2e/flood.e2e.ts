import { jest } from '@jest/globals';
import type { CreatedToken, WireError } from '#contracts';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { call, run } from '../support/flow.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(60_000);

const PER_MINUTE = 150;

let api: Booted;
let owner: ConsoleClient;
let quiet: string;

beforeAll(async () => {
  api = await boot({ env: { RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) } });
  owner = await api.owner();
  quiet = ((await owner.post('/api/tokens', { name: 'quiet' })) as CreatedToken).secret;
});
afterAll(() => api.close());

async function knock(
  token: string,
  path: string,
  init: RequestInit = {},
): Promise<{ status: number; after: string | null; error?: WireError }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const answer = await api.fetch(path, { ...init, headers });
  const { error } = (await answer.json()) as { error?: WireError };
  return { status: answer.status, after: answer.headers.get('retry-after'), ...(error && { error }) };
}

/** How many of many requests at once got through; all others were told to wait. */
async function flood(token: string, path: string, init: RequestInit = {}): Promise<number> {
  const answers = [];
  for (let sent = 0; sent < 3 * PER_MINUTE; sent += 50)
    answers.push(...(await Promise.all(Array.from({ length: 50 }, () => knock(token, path, init)))));
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(PER_MINUTE);
  for (const { error, after } of refused) {
    expect(error).toMatchObject({ code: 'RATE_LIMITED', retry: 'later', details: { perMinute: PER_MINUTE } });
    expect(error?.details['retryAfterSeconds']).toBe(Number(after));
    expect(Number(after)).toBeGreaterThan(0);
    expect(Number(after)).toBeLessThanOrEqual(60);
  }
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  return answers.length - refused.length;
}

verifies('flood:limited', 'over REST and MCP, on one allowance', async () => {
  const agent = await api.mcp({ token: quiet });
  await knock(api.agentToken, '/api/plans'); // until a credential is known it counts for its address
  expect(await flood(api.agentToken, '/api/plans')).toBeLessThanOrEqual(PER_MINUTE);
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect(await knock(api.agentToken, '/mcp', { method: 'POST', body: JSON.stringify(message) })).toMatchObject({ status: 429 });
  // Meanwhile nobody else notices.
  expect(await run(agent, owner, ['touch', 'in-peace'])).toMatchObject({ receipt: { status: 'succeeded' } });
  expect((await owner.request('GET', '/api/asks?state=open')).status).toBe(200);
  expect((await api.fetch('/health')).status).toBe(200);
});

verifies('flood:limited', 'of strangers, who share what is left to their address', async () => {
  const agent = await api.mcp({ token: quiet });
  const guesses = Array.from({ length: 3 * PER_MINUTE }, (_, index) => knock(`csn_${String(index).padStart(43, 'x')}`, '/api/plans'));
  const statuses = new Set((await Promise.all(guesses)).map(({ status }) => status));
  expect([...statuses].sort()).toEqual([401, 429]);
  expect(await call(agent, 'whoami')).toMatchObject({ principal: { name: 'quiet' } });
  expect((await owner.request('GET', '/api/auth/state')).status).toBe(200);
});
