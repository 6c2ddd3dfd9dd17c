import type { ConnectorCall, ConnectorFact, RunId, RunOutcome } from '#contracts';
import { sha256Hex } from '#receipts/core';
import type { CallAnswer, CallResult } from './outcome.js';

/** As much of an output as is shown; its digest is of all of it. */
const MAX_OUTPUT_CHARACTERS = 65_536;

/** What a receipt and an agent are told of a call. */
export interface CallReport {
  readonly outcome: RunOutcome;
  readonly connector: ConnectorFact;
  readonly failure: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const OUTCOMES: Readonly<Record<CallResult['outcome'], RunOutcome>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  denied: 'failed',
  unknown: 'unknown',
};

export function reportOf(call: ConnectorCall, runId: RunId, result: CallResult, answer: CallAnswer): CallReport {
  const { connectorId, connectorName, provider, action, account, inputDigest, schemaDigest, effect } = call;
  const came = answer.kind === 'answer' ? answer : undefined;
  const output = came?.ok === true ? JSON.stringify(came.data) : undefined;
  return {
    outcome: OUTCOMES[result.outcome],
    connector: {
      ...{ connector_id: connectorId, connector_name: connectorName, provider, action, connection: account?.id ?? '' },
      ...{ execution_id: came?.executionId ?? null, input_sha256: inputDigest },
      output_sha256: output === undefined ? null : sha256Hex(output),
    },
    failure: result.outcome === 'succeeded' ? null : WORDS[result.outcome],
    details: {
      ...{
        call_outcome: result.outcome,
        code: result.code,
        effect: effect.effect,
        effect_source: effect.source,
        effect_reason: effect.reason,
      },
      ...{ schema_sha256: schemaDigest, idempotency_key: runId, route: call.route, audit_persisted: came?.auditPersisted ?? null },
      account: account && { id: account.id, name: account.label },
      ...(output !== undefined && {
        output: output.slice(0, MAX_OUTPUT_CHARACTERS).toWellFormed(),
        output_truncated: output.length > MAX_OUTPUT_CHARACTERS,
      }),
    },
  };
}

const WORDS: Readonly<Record<Exclude<CallResult['outcome'], 'succeeded'>, string>> = {
  failed: 'The action had no effect',
  denied: 'The connector did not allow the action; it had no effect',
  unknown: 'The action was sent, and nobody knows what came of it. It is not sent again by itself; a person has to look',
};
