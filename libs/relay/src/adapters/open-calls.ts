import type { LogEvent } from '../host-driver.js';

/** A tool call whose result is not in the log yet. */
export interface OpenCall {
  readonly name: string;
  readonly arguments: string;
  /** Ids of the questions it asks, as JSON; empty for other calls. */
  readonly questionIds: string;
}

/** Follows the log: calls come in, results take them out. */
export function openCalls(events: readonly LogEvent[], calls: Map<string, OpenCall>): Map<string, OpenCall> {
  for (const { type, data } of events) {
    if (type === 'tool/call') {
      const { callId, name, arguments: args } = data as { callId: string; name: string; arguments: string };
      calls.set(callId, { name, arguments: args, questionIds: questionIdsOf(args) });
    }
    if (type === 'tool/result') {
      const { message } = data as { message?: { source?: { callId?: string } } };
      calls.delete(message?.source?.callId ?? '');
    }
  }
  return calls;
}

function questionIdsOf(args: string): string {
  try {
    const { questions } = JSON.parse(args) as { questions?: readonly { readonly id: string }[] };
    return questions ? JSON.stringify(questions.map(({ id }) => id)) : '';
  } catch {
    return ''; // a model may write anything
  }
}
