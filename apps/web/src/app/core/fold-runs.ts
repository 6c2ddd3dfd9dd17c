import type { AppEvent, Run, RunId } from '#contracts';

export type RunMap = ReadonlyMap<RunId, Run>;

/** Folds one event into the active runs; an ended run leaves. */
export function foldRuns(runs: RunMap, event: AppEvent): RunMap {
  if (event.type === 'run.started') return new Map(runs).set(event.run.id, event.run);
  if (event.type === 'run.ended') {
    if (!runs.has(event.runId)) return runs;
    return new Map([...runs].filter(([id]) => id !== event.runId));
  }
  if (event.type !== 'run.moved') return runs;
  const run = runs.get(event.runId);
  return run === undefined ? runs : new Map(runs).set(run.id, foldRun(run, event));
}

/** Folds one event into one run and keeps it after its end. */
export function foldRun(run: Run, event: AppEvent): Run {
  if (event.type === 'run.moved' && event.runId === run.id && run.status !== 'ended') return { ...run, status: event.status };
  if (event.type === 'run.ended' && event.runId === run.id)
    return { ...run, status: 'ended', outcome: event.outcome, receiptId: event.receiptId, endedAt: event.at };
  return run;
}
