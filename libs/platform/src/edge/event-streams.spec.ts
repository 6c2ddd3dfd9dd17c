import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { PassThrough } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { AppEvent, EventScope, Principal, PrincipalId, Resync, SessionId, WorkspaceId } from '#contracts';
import { aPrincipal, bootPlatform, type PlatformApp } from '../../../../test/support/platform-app.js';
import { verifies } from '../../../../test/support/verifies.js';
import { EventFeed, MAX_BEHIND } from '../event-feed.js';
import { EventStreams } from './event-streams.js';
import { type HotStream, HotStreams } from './hot-streams.js';

let api: PlatformApp;
let feed: EventFeed;
let viewers: Viewer[] = [];

beforeEach(async () => {
  api = await bootPlatform({ ALLOWED_ORIGINS: 'https://friend.example' });
  feed = api.app.get(EventFeed);
});
afterEach(async () => {
  for (const viewer of viewers) viewer.leave();
  viewers = [];
  await api.close();
});

const scope = (owner: string, session: string | null = null): EventScope => ({
  owner: owner as PrincipalId,
  sessionId: session as SessionId | null,
});
const write = (owner: string, name: string, session: string | null = null) =>
  feed.write((_tx, append) => append(scope(owner, session), { type: 'workspace.removed', workspaceId: name as WorkspaceId }));

interface Viewer {
  readonly headers: Headers;
  readonly events: (AppEvent | Resync)[];
  readonly comments: string[];
  readonly ended: Promise<void>;
  /** Resolves when this many events have come. */
  has(count: number): Promise<(AppEvent | Resync)[]>;
  leave(): void;
}

async function view(token: string, query = '', headers: Record<string, string> = {}): Promise<Viewer> {
  const leaving = new AbortController();
  const answer = await fetch(`http://127.0.0.1:${api.port}/api/events${query}`, {
    headers: { authorization: `Bearer ${token}`, ...headers },
    signal: leaving.signal,
  });
  if (!answer.body) throw new Error('no stream');
  const events: (AppEvent | Resync)[] = [];
  const comments: string[] = [];
  const read = async (body: ReadableStream<Uint8Array>): Promise<void> => {
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream())) {
      const frames = (rest + text).split('\n\n');
      rest = frames.pop() ?? '';
      for (const frame of frames) {
        if (frame.startsWith(':')) comments.push(frame);
        const data = /^data: (.*)$/m.exec(frame)?.[1];
        if (data !== undefined) events.push(JSON.parse(data) as AppEvent | Resync);
      }
    }
  };
  const viewer: Viewer = {
    headers: answer.headers,
    events,
    comments,
    ended: read(answer.body).catch(() => undefined),
    has: async (count) => {
      await until(() => events.length >= count);
      return events;
    },
    leave: () => leaving.abort(),
  };
  viewers.push(viewer);
  return viewer;
}

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + 5_000;
  while (!isSo()) {
    if (Date.now() > giveUpAt) throw new Error('It did not come to that');
    await sleep(5);
  }
}
/** A reply whose client is there and takes everything. */
function aReply(): FastifyReply {
  const raw = Object.assign(new PassThrough().resume(), { socket: {}, setHeader: () => undefined, writeHead: () => undefined });
  const reply = { raw, hijack: () => undefined, getHeaders: () => ({}), request: { method: 'GET' } };
  return reply as unknown as FastifyReply; // the part of it that is used
}

const names = (events: readonly (AppEvent | Resync)[]) =>
  events.map((event) => (event.type === 'workspace.removed' ? event.workspaceId : event.type));

describe('the event stream', () => {
  it('keeps the headers of the edge and forbids buffering', async () => {
    const { headers } = await view('alice', '', { origin: 'https://friend.example', 'x-request-id': 'r1' });
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': 'r1',
      'x-content-type-options': 'nosniff',
      'access-control-allow-origin': 'https://friend.example',
    });
  });

  verifies('streams:isolated', 'by principal and by session', async () => {
    const [person, bot, root] = [await view('alice'), await view('bot'), await view('root')];
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    const ofSession = await view('alice', `?session=${one}`);
    await until(() => api.app.get(EventStreams).subscribers === 4);
    await write('bot', 'b1', one);
    await write('alice', 'a1', two);
    await feed.write((_tx, append) => append(scope('root'), { type: 'person.changed', personId: 'alice' as PrincipalId }));
    await write('bot', 'b2', one);
    expect(names(await root.has(4))).toEqual(['b1', 'a1', 'person.changed', 'b2']);
    expect(names(await person.has(3))).toEqual(['b1', 'a1', 'b2']);
    expect(names(await bot.has(2))).toEqual(['b1', 'b2']);
    expect(names(await ofSession.has(2))).toEqual(['b1', 'b2']);
  });

  verifies('events:resume', 'over HTTP, while others keep writing', async () => {
    const writing = new AbortController();
    const writer = (async () => {
      for (let n = 0; !writing.signal.aborted; n += 1) {
        await write('alice', String(n));
        await sleep(1);
      }
    })();
    const seen: number[] = [];
    for (let cut = 0; cut < 6; cut += 1) {
      const viewer = await view('alice', cut === 0 ? '?after=0' : '', cut === 0 ? {} : { 'last-event-id': String(seen.at(-1)) });
      await viewer.has(15);
      viewer.leave();
      await viewer.ended;
      seen.push(...viewer.events.map(({ seq }) => seq));
    }
    writing.abort();
    await writer;
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, n) => n + 1));
  });

  verifies('events:resume', 'an event between the replay and the joining', async () => {
    await write('alice', 'before');
    const missed = feed.missed.bind(feed);
    feed.missed = async (cursor) => {
      const answer = await missed(cursor);
      feed.missed = missed;
      await write('alice', 'between');
      return answer;
    };
    const viewer = await view('alice', '?after=0');
    await viewer.has(2);
    await write('alice', 'after');
    expect(names(await viewer.has(3))).toEqual(['before', 'between', 'after']);
  });

  verifies('events:resume', 'a replay that is larger than what a viewer may have unsent', async () => {
    for (let n = 0; n < 120; n += 1) await write('alice', `${n}${'x'.repeat(50_000)}`);
    const viewer = await view('alice', '?after=0');
    expect((await viewer.has(120)).map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, n) => n + 1));
  });

  verifies('events:resync', 'over HTTP, once', async () => {
    await feed.write(async (_tx, append) => {
      for (let n = 0; n <= MAX_BEHIND + 1; n += 1) await append(scope('alice'), { type: 'policy.changed', version: String(n) });
    });
    const viewer = await view('alice', '?after=0');
    await viewer.has(1);
    await write('alice', 'next');
    expect(await viewer.has(2)).toMatchObject([{ type: 'resync', seq: MAX_BEHIND + 2 }, { seq: MAX_BEHIND + 3 }]);
    expect(await (await view('alice', '', { 'last-event-id': '999999' })).has(1)).toMatchObject([{ type: 'resync' }]);
  });

  it('refuses a cursor that is no number before it becomes a stream', async () => {
    const headers = { authorization: 'Bearer alice', 'last-event-id': 'x' };
    const answer = await fetch(`http://127.0.0.1:${api.port}/api/events`, { headers });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'CURSOR_INVALID' } }]);
    const query = await fetch(`http://127.0.0.1:${api.port}/api/events?after=-1`, { headers: { authorization: 'Bearer alice' } });
    expect(query.status).toBe(400);
  });
});

describe('the life of a stream', () => {
  const silentViewer = async (): Promise<Socket> => {
    const socket = connect(api.port, '127.0.0.1');
    socket.pause(); // never reads
    socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost:${api.port}\r\nAuthorization: Bearer alice\r\n\r\n`);
    await once(socket, 'connect');
    return socket;
  };

  verifies('streams:bounded', async () => {
    const streams = api.app.get(EventStreams);
    const [leaving, staying, slow] = [await view('alice'), await view('alice'), await silentViewer()];
    await until(() => streams.subscribers === 3);

    leaving.leave();
    await until(() => streams.subscribers === 2);

    const large = 'x'.repeat(200_000);
    for (let n = 0; streams.subscribers === 2 && n < 200; n += 1) {
      await write('alice', `${n}${large}`);
      await staying.has(n + 1);
    }
    expect([streams.subscribers, api.app.get(HotStreams).size]).toEqual([1, 1]);
    slow.destroy();
    await write('alice', 'last');
    await until(() => names(staying.events).at(-1) === 'last');
  });

  it('sends a comment to those who may stay and ends those whose time is over', async () => {
    api.directory.add(aPrincipal({ id: 'brief' as PrincipalId, expiresAt: Date.now() + 300 }));
    const [staying, brief] = [await view('alice'), await view('brief')];
    await sleep(350);
    await api.app.get(HotStreams).keepAlive();
    await brief.ended;
    await until(() => staying.comments.length === 1);
    expect(api.app.get(EventStreams).subscribers).toBe(1);
  });

  it('ends the stream of a revoked token at once, and of a vanished person at the next round', async () => {
    const [person, bot] = [await view('alice'), await view('bot')];
    await until(() => api.app.get(EventStreams).subscribers === 2);
    api.directory.known.delete('bot');
    api.directory.known.delete('alice');
    await feed.write((_tx, append) => append(scope('root'), { type: 'token.changed', tokenId: 'bot' as never }));
    await bot.ended;
    expect(api.app.get(EventStreams).subscribers).toBe(1);
    await api.app.get(HotStreams).keepAlive();
    await person.ended;
  });

  it('asks once for many streams of one principal', async () => {
    await Promise.all(Array.from({ length: 5 }, () => view('alice')));
    api.directory.looked = 0;
    await api.app.get(HotStreams).keepAlive();
    expect(api.directory.looked).toBe(1);
  });

  it('answers HEAD without becoming a stream', async () => {
    const answer = await fetch(`http://127.0.0.1:${api.port}/api/events`, { method: 'HEAD', headers: { authorization: 'Bearer alice' } });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    await until(() => api.app.get(HotStreams).size === 0);
  });

  it('keeps nothing of a viewer that asked for many streams on one connection and left', async () => {
    const socket = connect(api.port, '127.0.0.1').on('error', () => undefined);
    await once(socket, 'connect');
    const request = `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${api.port}\r\nAuthorization: Bearer bot\r\n\r\n`;
    socket.resume().write(request.repeat(10));
    await until(() => api.app.get(HotStreams).size > 0);
    await sleep(100);
    expect(api.app.get(HotStreams).size).toBe(1);
    socket.destroy();
    await until(() => api.app.get(HotStreams).size === 0);
    expect(api.app.get(EventStreams).subscribers).toBe(0);
  });

  it('leaves room for others when one caller opens all it can', () => {
    const streams = api.app.get(HotStreams);
    const caller = aPrincipal({ id: 'greedy' as PrincipalId });
    const open = (principal: Principal): HotStream => streams.open(aReply(), principal);
    const opened = Array.from({ length: 1_024 }, () => open(caller));
    expect(() => open(caller)).toThrow('Too many streams');
    open(aPrincipal()).destroy();
    opened.pop()?.destroy();
    open(caller).destroy();
    for (const stream of opened) stream.destroy();
    expect(streams.size).toBe(0);
  });

  it('does not hold the shutdown up', async () => {
    const viewer = await view('alice');
    await api.app.close();
    await viewer.ended;
  });
});
