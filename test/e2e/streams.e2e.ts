import { jest } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { LocalCallers, Tokens } from '#auth';
import { AGENT_SCOPES, type AppEvent, type CreatedToken, type RunFrame } from '#contracts';
import { Clock, EventFeed, EventStreams, HotStreams } from '#platform';
import { boot, type Booted } from '../support/boot.js';
import type { ConsoleClient } from '../support/console-client.mjs';
import { EventReader } from '../support/event-source.js';
import { call, pause, person, plan, refOf, run, until, vote } from '../support/flow.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(90_000);

let api: Booted;
let owner: ConsoleClient;
let tokenA: string;
let tokenB: string;
let agentA: Client;
let agentB: Client;

beforeAll(async () => {
  api = await boot({ env: { MAX_CONCURRENT_SESSIONS: '100' } });
  owner = await api.owner();
  tokenA = api.agentToken;
  tokenB = ((await owner.post('/api/tokens', { name: 'B' })) as CreatedToken).secret;
  agentA = await api.mcp({ token: tokenA });
  agentB = await api.mcp({ token: tokenB });
});
afterAll(() => api.close());

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });
const events = (token: string, query = '', headers: Record<string, string> = {}): Promise<EventReader<AppEvent>> =>
  EventReader.open<AppEvent>(`${api.url}/api/events${query}`, { ...bearer(token), ...headers });
const viewers = (): number => api.app.get(HotStreams).size;
const gone = (before: number): Promise<true> => until('viewers gone', () => (viewers() <= before ? true : undefined));
const idOf = async (client: Client): Promise<string> => ((await call(client, 'whoami'))['principal'] as { id: string }).id;

/** A run of `argv` that is under way, seen from outside. */
async function started(client: Client, argv: readonly string[]): Promise<{ runId: string; planned: Awaited<ReturnType<typeof plan>> }> {
  const { session_id } = await call(client, 'terminal_open_session');
  const planned = await plan(client, argv, { session_id });
  if (planned.status === 'awaiting_approval') await vote(owner, planned);
  await owner.post(`/api/plans/${planned.plan_id}/execute`);
  const { runId } = (await owner.get(`/api/plans/${planned.plan_id}`)) as { runId: string };
  return { runId, planned };
}

const script = (name: string, text: string): void => writeFileSync(join(api.workspace, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

describe('viewers', () => {
  verifies('invariant:9', 'one caller never hears of another, on events, by session and on output', async () => {
    const [a, b] = [await idOf(agentA), await idOf(agentB)];
    const openSession = (await call(agentA, 'terminal_open_session'))['session_id'] as string;
    const [ofA, ofB, sessionOfA, foreign] = await Promise.all([
      events(tokenA),
      events(tokenB),
      events(tokenA, `?session=${openSession}`),
      events(tokenB, `?session=${openSession}`), // another's session: allowed to ask, nothing to hear
    ]);
    await Promise.all([agentA, agentB].flatMap((client) => [1, 2, 3].map(() => run(client, owner, ['ls']).catch(() => undefined))));
    await run(agentA, owner, ['pwd'], { session_id: openSession });
    await run(agentB, owner, ['pwd']);
    await Promise.all([ofA, ofB, sessionOfA].map((stream) => stream.next(({ type }) => type === 'run.ended')));
    await pause(200);
    expect(new Set(ofA.frames.map(({ data }) => data.owner))).toEqual(new Set([a]));
    expect(new Set(ofB.frames.map(({ data }) => data.owner))).toEqual(new Set([b]));
    expect(new Set(sessionOfA.frames.map(({ data }) => data.sessionId))).toEqual(new Set([openSession]));
    expect(foreign.frames).toEqual([]);
    await Promise.all([ofA, ofB, sessionOfA, foreign].map((stream) => stream.close()));

    const { runId } = await started(agentA, ['ls']);
    for (const path of [`/api/runs/${runId}`, `/api/runs/${runId}/output`, `/api/runs/${runId}/stream`])
      expect((await api.fetch(path, { headers: bearer(tokenB) })).status).toBe(404);
  });

  verifies('invariant:9', 'are gone when they leave, and when what they watch has ended', async () => {
    const before = viewers();
    const open = await Promise.all(Array.from({ length: 40 }, () => events(tokenA)));
    expect(viewers()).toBe(before + 40);
    const following = api.app.get(EventStreams).subscribers;
    await Promise.all(open.map((stream) => stream.close()));
    await gone(before);
    expect(api.app.get(EventStreams).subscribers).toBe(following - 40);

    script('short.sh', 'echo one; sleep 1; echo two');
    const { runId } = await started(agentA, ['./short.sh']);
    const output = await EventReader.open<RunFrame>(`${api.url}/api/runs/${runId}/stream`, bearer(tokenA));
    expect(viewers()).toBe(before + 1);
    await output.ended; // by the server, after its last frame
    expect(output.frames.at(-1)?.data).toMatchObject({ type: 'ended', outcome: 'succeeded' });
    await gone(before);
  });

  verifies('invariant:9', 'are gone when their credential expires, is revoked, or its person is disabled', async () => {
    const before = viewers();
    const by = api.app.get(LocalCallers).commandLine();
    const clock = api.app.get(Clock);
    const short = await api.app
      .get(Tokens)
      .create({ by, name: 'short', personId: null, scopes: AGENT_SCOPES, expiresAt: clock.now() + 60_000 });
    const expiring = await events(short.secret);
    const now = clock.now.bind(clock);
    clock.now = () => now() + 61_000;
    try {
      await api.app.get(HotStreams).keepAlive(); // the next round, which comes every 15 seconds
      await expiring.ended;
    } finally {
      clock.now = now;
    }
    const { token, secret } = (await owner.post('/api/tokens', { name: 'revoked' })) as CreatedToken;
    const revoked = await events(secret);
    await owner.delete(`/api/tokens/${token.id}`);
    await revoked.ended;
    const vera = await person(api, owner, 'Vera', ['viewer']);
    const state = (await vera.get('/api/auth/state')) as { me: { id: string } };
    const watched = await vera.request('GET', '/api/events');
    await owner.patch(`/api/people/${state.me.id}`, { disabled: true });
    for await (const _ of watched.body ?? []); // until the server ends it
    await gone(before);
  });

  verifies('invariant:9', 'one that takes nothing is closed, and the others go on', async () => {
    const before = viewers();
    script(
      'much.sh',
      'i=0; while [ $i -lt 12000 ]; do echo "line $i ........................................................................"; i=$((i+1)); done; sleep 2',
    );
    const { runId } = await started(agentA, ['./much.sh']);
    const stuck = await unread(`/api/runs/${runId}/stream`);
    const reading = await EventReader.open<RunFrame>(`${api.url}/api/runs/${runId}/stream`, bearer(tokenA));
    await reading.ended;
    const text = reading.frames.map(({ data }) => (data.type === 'output' ? data.text : '')).join('');
    expect(text).toContain('line 11999 ');
    await gone(before + 1); // only the stuck one may be left, with less than a megabyte
    stuck.destroy();
    await gone(before);
  });

  it('that take no events are closed while the work goes on', async () => {
    const before = viewers();
    const stuck = await unread('/api/events');
    const feed = api.app.get(EventFeed);
    const [owner_, filler] = [await idOf(agentA), 'x'.repeat(60_000)];
    for (let sent = 0; sent < 400 && viewers() > before; sent += 1) {
      await feed.write((_, append) =>
        append({ owner: owner_ as never, sessionId: null }, { type: 'policy.changed', version: `${sent} ${filler}` }),
      );
    }
    await gone(before);
    stuck.destroy();
    expect(await run(agentB, owner, ['ls'])).toMatchObject({ receipt: { status: 'succeeded' } });
  });

  /** A stream whose viewer reads the headers and then nothing more. */
  async function unread(path: string): Promise<Socket> {
    const socket = connect({ port: Number(new URL(api.url).port), host: '127.0.0.1' });
    socket.on('error', () => undefined); // the server may cut it
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${new URL(api.url).host}\r\nAuthorization: Bearer ${tokenA}\r\n\r\n`);
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    return socket;
  }
});

describe('a cut', () => {
  verifies('events:resume', 'of the product’s own events, at many places', async () => {
    const whole = await events(tokenA);
    const from = api.app.get(EventFeed).head;
    const pieces: { id: number; data: AppEvent }[] = [];
    let working = true;
    const work = (async () => {
      for (let round = 0; round < 8; round += 1) await run(agentA, owner, ['ls', '-a']);
      working = false;
    })();
    let cursor = from;
    while (working) {
      const piece = await events(tokenA, '', { 'last-event-id': String(cursor) });
      await pause(25);
      await piece.close();
      pieces.push(...piece.frames);
      cursor = pieces.at(-1)?.id ?? cursor;
    }
    await work;
    const last = await events(tokenA, `?after=${cursor}`);
    const end = await whole.next(({ type, seq }) => type === 'run.ended' && seq === api.app.get(EventFeed).head);
    await until('the last piece', () => (last.last >= end.id || cursor >= end.id ? true : undefined));
    pieces.push(...last.frames);
    expect(pieces.map(({ id }) => id)).toEqual(whole.frames.map(({ id }) => id));
    expect(pieces).toEqual(whole.frames);
    await Promise.all([whole, last].map((stream) => stream.close()));
  });

  it('of output goes on exactly, also where the program writes meanwhile', async () => {
    script('count.sh', 'i=0; while [ $i -lt 60 ]; do echo "n$i"; i=$((i+1)); sleep 0.02; done');
    const { runId, planned } = await started(agentA, ['./count.sh']);
    const pieces: { id: number; data: RunFrame }[] = [];
    while (pieces.at(-1)?.data.type !== 'ended') {
      const after = { 'last-event-id': String(pieces.at(-1)?.id ?? 0) };
      const piece = await EventReader.open<RunFrame>(`${api.url}/api/runs/${runId}/stream`, { ...bearer(tokenA), ...after });
      await Promise.race([piece.ended, pause(120)]);
      await piece.close();
      pieces.push(...piece.frames);
    }
    expect(pieces.map(({ id }) => id)).toEqual(pieces.map((_, index) => index + 1));
    const text = pieces.map(({ data }) => (data.type === 'output' ? data.text : '')).join('');
    expect(text).toBe(Array.from({ length: 60 }, (_, index) => `n${index}\n`).join(''));
    expect(await call(agentA, 'terminal_wait', refOf(planned))).toMatchObject({ receipt: { stdout: text } });
  });
});
