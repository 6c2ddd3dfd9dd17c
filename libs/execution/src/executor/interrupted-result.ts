import { createHash } from 'node:crypto';
import type { OutputStream, SandboxFacts, StreamFact } from '#contracts';
import type { RunResult, RunSpec } from './protocol.js';
import { sandboxFactsFor } from './sandbox/facts.js';
import { UNCONTAINED } from './sandbox/none.js';

/** The end of a run whose executor died: with the output that was shown until then. What the executor had not sent yet is lost. */
export function interruptedResult(
  spec: RunSpec,
  machine: SandboxFacts | undefined,
  startedAt: number | null,
  shown: Readonly<Record<OutputStream, string>>,
): RunResult {
  const now = Date.now();
  return {
    outcome: 'interrupted',
    startedAt: startedAt ?? now,
    endedAt: now,
    exitCode: null,
    signal: null,
    ...shown,
    truncated: startedAt !== null,
    stdoutFact: factOf(shown.stdout),
    stderrFact: factOf(shown.stderr),
    stages: [],
    sandbox: machine ? sandboxFactsFor(machine, spec.sandbox) : UNCONTAINED,
    limitHit: null,
    survivors: [],
    cpuMs: null,
    maxRssBytes: null,
    failure:
      startedAt === null
        ? 'The executor could not be started, so nothing ran'
        : 'The executor process died while this run was active; how far the command came is not known',
  };
}

/** Of the shown text: nobody has the raw bytes any more. */
function factOf(text: string): StreamFact {
  const bytes = Buffer.byteLength(text);
  return { bytes, sha256: createHash('sha256').update(text).digest('hex'), kept: bytes, redactions: 0, invalidUtf8: 0 };
}
