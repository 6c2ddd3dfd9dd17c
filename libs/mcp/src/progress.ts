import type { ServerContext } from '@modelcontextprotocol/server';
import type { Progress } from './tool-call.js';

const SPACING_MS = 250;

export interface ProgressReports {
  readonly report: Progress;
  /** Nothing is sent afterwards. */
  readonly stop: () => void;
}

/** How far each call has been reported: a legacy client's rounds are one call to it, and progress never goes back. */
const reported = new WeakMap<AbortSignal, number>();

/** Progress of one call: only forward, at most four times a second, the newest word wins. Undefined when the client did not ask. */
export function openProgress({ mcpReq }: ServerContext): ProgressReports | undefined {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  let last = reported.get(mcpReq.signal) ?? -Infinity;
  let waiting: Parameters<Progress> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const send = ([progress, total, message]: Parameters<Progress>): void => {
    last = progress;
    reported.set(mcpReq.signal, progress);
    const params = { progressToken, progress, ...(total !== undefined && { total }), message };
    // A client that has left takes nothing; the call itself hears of it through its signal.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    timer = setTimeout(() => {
      timer = undefined;
      const next = waiting;
      waiting = undefined;
      if (next) send(next);
    }, SPACING_MS);
  };

  return {
    report: (...now) => {
      if (now[0] <= (waiting?.[0] ?? last)) return;
      if (timer) waiting = now;
      else send(now);
    },
    stop: () => {
      clearTimeout(timer);
      timer = undefined;
      waiting = undefined;
      last = Infinity;
    },
  };
}
