import type { RunId } from '#contracts';
import type { Executor, RunSignal, RunSpec } from '#execution';
import { newId } from '#platform';

export interface ExecutorUnderTest {
  readonly executor: Executor;
  /** Ends by itself with exit code 0 after writing `hello`. */
  quick(runId: RunId): RunSpec;
  /** Stays until it is cancelled. */
  slow(runId: RunId): RunSpec;
}

/** What every executor keeps, real or fake. Whoever builds on the port may rely on exactly this. */
export function executorContract(open: () => Promise<ExecutorUnderTest>, close: () => Promise<void>): void {
  let under: ExecutorUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => close());

  interface Watched {
    readonly signals: RunSignal[];
    readonly ended: Promise<Extract<RunSignal, { type: 'ended' }>>;
    readonly first: (type: RunSignal['type']) => Promise<RunSignal>;
  }

  function start(spec: RunSpec): Watched {
    const signals: RunSignal[] = [];
    const heard = new Set<() => void>();
    const first = async (type: RunSignal['type']): Promise<RunSignal> => {
      for (;;) {
        const found = signals.find((signal) => signal.type === type);
        if (found) return found;
        await new Promise<void>((resolve) => heard.add(resolve));
      }
    };
    under.executor.start(spec, (signal) => {
      signals.push(signal);
      for (const resolve of heard) resolve();
      heard.clear();
    });
    return { signals, first, ended: first('ended') as Watched['ended'] };
  }

  it('tells what contains runs', async () => {
    expect(await under.executor.report()).toMatchObject({ facts: { kind: expect.any(String) as string } });
  });

  it('tells of one run in order, and its end exactly once and last', async () => {
    const runId = newId<RunId>();
    const { signals, ended } = start(under.quick(runId));
    expect(signals).toEqual([]); // nothing before `start` has returned
    const { result } = await ended;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(result).toMatchObject({ outcome: 'succeeded', exitCode: 0, stdout: expect.stringContaining('hello') as string });
    expect(signals.filter(({ type }) => type === 'ended')).toHaveLength(1);
    expect(signals.at(-1)?.type).toBe('ended');
    expect(signals[0]?.type).toBe('spawned');
    expect(signals.every((signal) => signal.runId === runId)).toBe(true);
  });

  it('keeps the signals of runs apart', async () => {
    const ids = Array.from({ length: 5 }, () => newId<RunId>());
    const watched = ids.map((id) => start(under.quick(id)));
    await Promise.all(watched.map(({ ended }) => ended));
    expect(watched.map(({ signals }) => [...new Set(signals.map(({ runId }) => runId))])).toEqual(ids.map((id) => [id]));
  });

  it('pauses, goes on, and ends what is cancelled', async () => {
    const runId = newId<RunId>();
    const { signals, ended, first } = start(under.slow(runId));
    await first('spawned');
    under.executor.pause(runId);
    await first('moved');
    under.executor.resume(runId);
    under.executor.cancel(runId);
    expect((await ended).result).toMatchObject({ outcome: 'cancelled', exitCode: null });
    expect(signals.flatMap((signal) => (signal.type === 'moved' ? [signal.status] : []))).toEqual(['paused', 'running']);
  });

  it('ends a paused run that is cancelled, and takes no harm from steering what is not there', async () => {
    const runId = newId<RunId>();
    const { ended, first } = start(under.slow(runId));
    await first('spawned');
    under.executor.pause(runId);
    under.executor.cancel(runId);
    expect((await ended).result.outcome).toBe('cancelled');
    under.executor.cancel(runId);
    under.executor.pause(newId<RunId>());
  });
}
