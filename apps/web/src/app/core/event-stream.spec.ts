import { ReadableStream as NodeStream, TextDecoderStream as NodeDecoder } from 'node:stream/web';
import { DestroyRef, Injector, runInInjectionContext } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { jest } from '@jest/globals';
import type { AppEvent, Resync } from '#contracts';
import { Api, ApiError } from './api.js';
import { EventStream } from './event-stream.js';
import { LiveCopy } from './live-copy.js';

type Told = AppEvent | Resync;

/** One connection as the page sees it: what the server writes, and when it cuts. */
interface Connection {
  readonly after: string | null;
  tell(...events: readonly { readonly seq: number; readonly type?: string }[]): Promise<void>;
  cut(): Promise<void>;
}

const turn = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits for something that a timer brings. */
async function until(isSo: () => boolean): Promise<void> {
  for (let count = 0; count < 1_000 && !isSo(); count += 1) await turn(5);
  expect(isSo()).toBe(true);
}

/** A server of streams: every fetch opens one connection, or fails while it is down. */
function fakeServer(): { readonly connections: Connection[]; isDown: boolean } {
  const server = { connections: [] as Connection[], isDown: false };
  const encoder = new TextEncoder();
  globalThis.fetch = jest.fn((input: unknown) => {
    if (server.isDown) return Promise.reject(new Error('down'));
    let control: { enqueue(part: Uint8Array): void; error(cause: Error): void } | undefined;
    const body = new NodeStream<Uint8Array>({
      start: (controller) => {
        control = controller;
      },
    });
    server.connections.push({
      after: new URL(String(input)).searchParams.get('after'),
      tell: async (...events) => {
        for (const event of events)
          control?.enqueue(encoder.encode(`id: ${String(event.seq)}\ndata: ${JSON.stringify({ type: 'policy.changed', ...event })}\n\n`));
        await turn(5);
      },
      cut: async () => {
        control?.error(new Error('cut'));
        await turn(5);
      },
    });
    return Promise.resolve({ ok: true, status: 200, body } as unknown as Response);
  });
  return server;
}

const seqs = (heard: readonly Told[]): readonly (number | string)[] =>
  heard.map((event) => (event.type === 'resync' ? `resync ${String(event.seq)}` : event.seq));

describe('EventStream', () => {
  let stream: EventStream;
  let server: ReturnType<typeof fakeServer>;

  beforeEach(() => {
    globalThis.TextDecoderStream = NodeDecoder as unknown as typeof TextDecoderStream;
    server = fakeServer();
    stream = TestBed.inject(EventStream);
  });
  afterEach(() => {
    stream.close();
  });

  const listen = (after: number): Told[] => {
    const heard: Told[] = [];
    stream.after(after).subscribe((event) => heard.push(event));
    return heard;
  };

  it('follows from a cursor, and gives a later listener exactly what it has not seen', async () => {
    const early = listen(5);
    await turn(5);
    expect(server.connections.map((one) => one.after)).toEqual(['5']);
    await server.connections[0]?.tell({ seq: 6 }, { seq: 7 });
    const late = listen(6);
    await server.connections[0]?.tell({ seq: 8 });
    expect([seqs(early), seqs(late)]).toEqual([
      [6, 7, 8],
      [7, 8],
    ]);
    expect(server.connections).toHaveLength(1);
  });

  it('goes on after a cut with the last number it heard, and hears nothing twice', async () => {
    const heard = listen(5);
    await turn(5);
    expect(stream.state()).toBe('live');
    await server.connections[0]?.tell({ seq: 6 });
    await server.connections[0]?.cut();
    expect([stream.state(), stream.mayDecide()]).toEqual(['reconnecting', false]);
    await until(() => server.connections.length === 2);
    expect(server.connections[1]?.after).toBe('6');
    await until(() => stream.state() === 'catching_up');
    await server.connections[1]?.tell({ seq: 6 }, { seq: 7 });
    expect(seqs(heard)).toEqual([6, 7]);
    await until(() => stream.state() === 'live');
    expect(stream.missed()).toEqual(['policy.changed']);
  });

  it('tells everybody to load again when the server cannot replay', async () => {
    const heard = listen(5);
    await turn(5);
    await server.connections[0]?.tell({ seq: 90, type: 'resync' }, { seq: 91 });
    expect(seqs(heard)).toEqual(['resync 90', 91]);
    expect(seqs(listen(4))).toEqual(['resync 91']);
  });

  it('keeps trying while the server is away', async () => {
    server.isDown = true;
    const heard = listen(1);
    await turn(900);
    server.isDown = false;
    await until(() => server.connections.length === 1);
    await server.connections[0]?.tell({ seq: 2 });
    expect(seqs(heard)).toEqual([2]);
  });

  it('loads a snapshot, follows it, and loads again after a resync', async () => {
    const log: string[] = [];
    let seq = 5;
    const start = stream.follow(
      {
        load: () => {
          log.push(`load ${String(seq)}`);
          return Promise.resolve(seq);
        },
        apply: (event) => log.push(`apply ${String(event.seq)}`),
      },
      TestBed.inject(DestroyRef),
    );
    await start();
    await turn(5);
    await server.connections[0]?.tell({ seq: 6 });
    seq = 90;
    await server.connections[0]?.tell({ seq: 90, type: 'resync' }, { seq: 91 });
    await turn(5);
    await server.connections[0]?.tell({ seq: 92 });
    expect(log).toEqual(['load 5', 'apply 6', 'load 90', 'apply 91', 'apply 92']);
  });

  it('tries a failed load again while that may help, and not when it may not', async () => {
    const failures: (string | undefined)[] = [];
    let loads = 0;
    const failing = (code: 'UNREACHABLE' | 'SCOPE_MISSING') =>
      stream.follow(
        {
          load: () => {
            loads += 1;
            return loads === 1 ? Promise.reject(new ApiError(code, '', {}, null)) : Promise.resolve(1);
          },
          apply: () => undefined,
          failed: (failure) => failures.push(failure?.code),
        },
        TestBed.inject(DestroyRef),
      );
    await failing('UNREACHABLE')();
    await until(() => loads === 2 && failures.length === 2);
    expect(failures).toEqual(['UNREACHABLE', undefined]);
    loads = 0;
    await failing('SCOPE_MISSING')();
    await turn(2_200);
    expect(loads).toBe(1);
  });
});

describe('LiveCopy', () => {
  it('folds in what was heard while it loaded', async () => {
    globalThis.TextDecoderStream = NodeDecoder as unknown as typeof TextDecoderStream;
    const server = fakeServer();
    const stream = TestBed.inject(EventStream);
    stream.after(1).subscribe();
    await turn(5);
    const copy = runInInjectionContext(
      TestBed.inject(Injector),
      () => new LiveCopy<string>((value, event) => `${value} ${String(event.seq)}`),
    );
    let answer: (text: string) => void = () => undefined;
    const opened = copy.open(
      () =>
        new Promise<string>((resolve) => {
          answer = resolve;
        }),
    );
    await server.connections[0]?.tell({ seq: 2 });
    expect(copy.value()).toBeUndefined();
    answer('loaded');
    await opened;
    await server.connections[0]?.tell({ seq: 3 });
    expect(copy.value()).toBe('loaded 2 3');
    stream.close();
  });

  it('tells what failed and keeps what it had', async () => {
    fakeServer();
    TestBed.inject(Api);
    const copy = runInInjectionContext(TestBed.inject(Injector), () => new LiveCopy<string>((value) => value));
    await copy.open(() => Promise.resolve('first'));
    const failing = new ApiError('UNREACHABLE', '', {}, null);
    await copy.open(() => Promise.reject(failing));
    expect([copy.value(), copy.failure()?.code]).toEqual([undefined, 'UNREACHABLE']);
  });
});
