import { cutText, type Budget } from './budget.js';
import { provenKind, type CommandKind } from './command-kind.js';
import type { CallFact, LogFacts, TurnEnd, TurnFact } from './log-facts.js';
import { testCounts, type TestCounts } from './test-counts.js';

export interface Commit {
  readonly sha: string;
  readonly subject: string;
  readonly evidence_id: string;
}

export interface EvidenceLine {
  /** `exec-<session>:<call>`: derived, so that the same call has the same id at every reading. */
  readonly id: string;
  readonly kind: CommandKind;
  readonly command: string;
  readonly succeeded: boolean;
  readonly at: string;
  readonly output: string;
}

/** What a session has to show for its last piece of work. */
export interface TurnResult {
  readonly text: string;
  readonly truncated: boolean;
  readonly end: TurnEnd['kind'];
  readonly failure?: { readonly message: string; readonly code: string | null };
  readonly tests: (TestCounts & { readonly runs: number; readonly evidence_id: string }) | null;
  readonly commits: readonly Commit[];
  readonly tags: readonly string[];
  readonly changed_files: readonly { readonly path: string; readonly how: string }[];
  readonly artifacts: readonly string[];
  readonly warnings: readonly string[];
  readonly evidence: readonly EvidenceLine[];
  readonly provenance: {
    readonly session_id: string;
    readonly turns: readonly number[];
    readonly from_seq: number;
    readonly to_seq: number;
    readonly provider: string | null;
    readonly model: string | null;
  };
}

const ARTIFACT = /\.(?:tgz|tar\.gz|zip|whl|jar|deb|rpm|exe|dmg|pdf|png|svg|html|vsix)$/u;
const COMMIT_LINE = /^\[(?<branch>[^\]\s]+)(?: \([^)]*\))? (?<sha>[0-9a-f]{7,40})\] (?<subject>.*)$/mu;
const TAG_OPERAND = /git\s+(?:-C\s+\S+\s+)?tag\s+(?:-[as]\s+|-m\s+(?:"[^"]*"|'[^']*'|\S+)\s+)*(?<tag>[\w./-]+)/u;
const WARNING = /^.*\b(?:warning|WARN|deprecated)\b.*$/gimu;
const MAX_WARNINGS = 20;
const EXCERPT = 400;

export function evidenceId(sessionId: string, callId: string): string {
  return `exec-${sessionId}:${callId}`;
}

/** Since a time: all turns from there on are one piece of work. Undefined: nothing has ended yet. */
export function resultOf(sessionId: string, facts: LogFacts, since: number | null, { items, chars }: Budget): TurnResult | undefined {
  const turns = workOf(facts.turns, since);
  const last = turns.findLast(({ end }) => end !== null);
  const [first] = turns;
  if (!first || !last?.end) return undefined;
  const calls = facts.calls.filter(({ seq }) => seq >= first.startedSeq);
  const proven = calls.flatMap((call) => toProof(sessionId, call));
  const said = cutText(facts.messages.findLast(({ from, seq }) => from === 'agent' && seq >= first.startedSeq)?.text ?? '', chars);
  const files = new Map(facts.files.filter(({ seq }) => seq >= first.startedSeq).map(({ path, how }) => [path, { path, how }]));
  return {
    text: said.text,
    truncated: said.truncated || proven.length > items,
    end: last.end.kind,
    ...(last.end.kind === 'error' && { failure: { message: last.end.message, code: last.end.code } }),
    tests: testsOf(proven),
    commits: proven.flatMap(toCommit).slice(-items),
    tags: proven.flatMap(toTag).slice(-items),
    changed_files: [...files.values()].slice(-items),
    artifacts: [...files.keys()].filter((path) => ARTIFACT.test(path)).slice(-items),
    warnings: warningsOf(calls, last.end),
    evidence: proven.slice(-items).map(({ line }) => line),
    provenance: {
      session_id: sessionId,
      turns: turns.map(({ turn }) => turn),
      from_seq: first.startedSeq,
      to_seq: last.endedSeq ?? last.startedSeq,
      provider: facts.model?.provider ?? null,
      model: facts.model?.model ?? null,
    },
  };
}

interface Proof {
  readonly call: CallFact;
  readonly output: string;
  readonly line: EvidenceLine;
}

function workOf(turns: readonly TurnFact[], since: number | null): readonly TurnFact[] {
  if (since === null) return turns.slice(turns.findLastIndex(({ end }) => end !== null)).filter(({ end }) => end !== null);
  return turns.filter(({ startedAt }) => startedAt >= since);
}

function toProof(sessionId: string, call: CallFact): readonly Proof[] {
  if (call.command === null || !call.result) return [];
  const { text: output, isError, at } = call.result;
  const line = {
    id: evidenceId(sessionId, call.callId),
    kind: provenKind(call.command),
    command: cutText(call.command, EXCERPT).text,
    succeeded: !isError,
    at: new Date(at).toISOString(),
    output: cutText(output, EXCERPT).text,
  };
  return [{ call, output, line }];
}

function testsOf(proofs: readonly Proof[]): TurnResult['tests'] {
  const runs = proofs.filter(({ line }) => line.kind === 'test');
  const counted = runs.map(({ output, line }) => ({ counts: testCounts(output), line })).findLast(({ counts }) => counts !== undefined);
  return counted?.counts ? { ...counted.counts, runs: runs.length, evidence_id: counted.line.id } : null;
}

function toCommit({ output, line }: Proof): readonly Commit[] {
  if (line.kind !== 'commit' || !line.succeeded) return [];
  const { sha, subject } = COMMIT_LINE.exec(output)?.groups ?? {};
  return sha === undefined ? [] : [{ sha, subject: subject ?? '', evidence_id: line.id }];
}

function toTag({ call, line }: Proof): readonly string[] {
  const tag = line.kind === 'tag' && line.succeeded ? TAG_OPERAND.exec(call.command ?? '')?.groups?.['tag'] : undefined;
  return tag === undefined ? [] : [tag];
}

function warningsOf(calls: readonly CallFact[], end: TurnEnd): readonly string[] {
  const failed = calls.filter(({ result }) => result?.isError === true).map(({ name, command }) => `${command ?? name} failed`);
  const told = calls.flatMap(({ command, result }) => (command === null || !result ? [] : (result.text.match(WARNING) ?? [])));
  const how = end.kind === 'completed' ? [] : [`The turn ended as ${end.kind}`];
  return [...new Set([...how, ...failed, ...told].map((line) => cutText(line.trim(), EXCERPT).text))].slice(0, MAX_WARNINGS);
}
