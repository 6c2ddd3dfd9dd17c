import type { ActionEffect } from '#contracts';
import { isFields } from './answers.js';

/** What a call came to. `code` is a stable word of the connector or of ours. */
export interface CallResult {
  readonly outcome: 'succeeded' | 'failed' | 'denied' | 'unknown';
  readonly code: string;
}

/** What came back from a call, whichever way it went. */
export type CallAnswer =
  | {
      readonly kind: 'answer';
      readonly route: 'http' | 'mcp';
      readonly status: number;
      readonly ok: boolean;
      readonly code: string | null;
      readonly executionId: string | null;
      readonly auditPersisted: boolean | null;
      /** Whether an account was reached: over MCP the answer says so, over HTTP only the run log. */
      readonly hasConnection: boolean | null;
      readonly data: unknown;
    }
  | { readonly kind: 'nothing'; readonly code: 'timeout' | 'network' | 'not_sent' | 'invalid_answer' };

/** Codes that prove that the provider was never reached. Everything that is not here may have had its effect. */
const NO_EFFECT: ReadonlySet<string> = new Set([
  'unknown_action',
  'invalid_input',
  'invalid_json',
  'connection_not_found',
  'idempotency_key_conflict',
  'proxy_not_allowed',
  'proxy_not_supported',
  'oauth_client_config_required',
  'oauth_token_refresh_failed',
]);
const DENIED: ReadonlySet<string> = new Set(['action_not_allowed', 'action_blocked', 'connection_not_allowed']);

/** The outcome of one call, from what came back alone. */
export function resultOf(answer: CallAnswer, effect: ActionEffect): CallResult {
  if (answer.kind === 'nothing') {
    if (answer.code === 'not_sent') return { outcome: 'failed', code: 'not_sent' };
    return settled(effect, answer.code);
  }
  if (answer.ok) return { outcome: 'succeeded', code: 'ok' };
  const code = answer.code ?? 'invalid_answer';
  if (DENIED.has(code)) return { outcome: 'denied', code };
  if (NO_EFFECT.has(code)) return { outcome: 'failed', code };
  if (answer.status === 401 && code === 'unauthorized') return { outcome: 'failed', code }; // our own key: nothing was run
  if (code === 'authorization_failed' && answer.hasConnection === false) return { outcome: 'failed', code };
  return settled(effect, code);
}

/** An action that only reads leaves nothing behind to look for. */
function settled(effect: ActionEffect, code: string): CallResult {
  return { outcome: effect === 'read' ? 'failed' : 'unknown', code };
}

/** Whether a call that reads may be sent again. Nothing else ever is. */
export function mayRetry(answer: CallAnswer, effect: ActionEffect): boolean {
  if (effect !== 'read') return false;
  if (answer.kind === 'nothing') return answer.code === 'network';
  return !answer.ok && (answer.status === 429 || answer.status >= 500 || answer.code === 'rate_limited');
}

/** The run is over and its account was reached, or was not: what the connector's own log says about an answer. */
export interface LoggedRun {
  readonly executionId: string;
  readonly ok: boolean;
  readonly code: string | null;
  readonly hasConnection: boolean;
}

export function readRun(value: unknown): LoggedRun | undefined {
  if (!isFields(value) || typeof value['id'] !== 'string' || typeof value['ok'] !== 'boolean') return undefined;
  const { id, ok, errorCode, connectionId } = value;
  return { executionId: id, ok, code: typeof errorCode === 'string' ? errorCode : null, hasConnection: typeof connectionId === 'string' };
}

/** What a look at the run log makes of an unknown outcome; undefined: it stays unknown. */
export function resultOfRun(run: LoggedRun): CallResult | undefined {
  if (run.ok) return { outcome: 'succeeded', code: 'ok' };
  const code = run.code ?? '';
  if (DENIED.has(code)) return { outcome: 'denied', code };
  if (NO_EFFECT.has(code) || (code === 'authorization_failed' && !run.hasConnection)) return { outcome: 'failed', code };
  return undefined;
}
