import { isAlias, isCollection, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { PolicyIssue, PolicyRule, PolicyText } from '#contracts';
import { lineFault } from '../display.js';
import { documentShape, type WrittenRule } from './shape.js';

export const MAX_DOCUMENT_BYTES = 256 * 1024;
/** Deeper than any document is; a parser that is led deeper runs out of stack. */
const MAX_NESTING = 40;

export type ReadDocument =
  | { readonly ok: true; readonly document: PolicyText; readonly warnings: readonly PolicyIssue[]; readonly place: Place }
  | { readonly ok: false; readonly issues: readonly PolicyIssue[] };

type Path = readonly PropertyKey[];
/** Where in the text something stands. */
export type Place = (path: Path) => { readonly line: number; readonly column: number };

/**
 * Reads a policy document. YAML 1.2 without anchors, tags and repeated keys, so that what a person reads is what is
 * meant; unknown keys are refused, so that a slip of the pen is no silent hole.
 */
export function readDocument(text: string): ReadDocument {
  if (Buffer.byteLength(text) > MAX_DOCUMENT_BYTES) return failed(1, 1, `is longer than ${MAX_DOCUMENT_BYTES / 1024} KiB`);
  const hidden = text.split('\n').findIndex((line) => lineFault(line.replace(/\r$/, '').replaceAll('\t', ' ')) !== null);
  if (hidden >= 0) return failed(hidden + 1, 1, 'holds characters that a person cannot see');
  if (isTooDeep(text)) return failed(1, 1, 'is nested too deep');
  const counter = new LineCounter();
  const parsed = parse(text, counter);
  if (parsed === undefined) return failed(1, 1, 'cannot be read');
  const [first] = parsed.errors;
  if (first) return failed(first.linePos?.[0].line ?? 1, first.linePos?.[0].col ?? 1, firstLine(first.message));
  const place: Place = (path) => placeOf(parsed, counter, path);
  const odd = oddity(parsed, counter);
  if (odd) return { ok: false, issues: [odd] };
  const shaped = documentShape.safeParse(parsed.toJS({ maxAliasCount: 0 }));
  if (!shaped.success) {
    const issues = shaped.error.issues.flatMap((issue) => flat(issue, [])).map(({ path, message }) => ({ ...place(path), path: path.map(String).join('.'), message })); // prettier-ignore
    return { ok: false, issues: issues.slice(0, 100) };
  }
  const { name, rules } = shaped.data;
  const faults = rules.flatMap((rule, index) =>
    faultsOf(rule, rules.slice(0, index)).map(([key, message]) => ({ path: ['rules', index, ...key], message })),
  );
  if (faults.length > 0)
    return { ok: false, issues: faults.map(({ path, message }) => ({ ...place(path), path: path.join('.'), message })) };
  const warnings = rules.flatMap((rule, index) =>
    warningsOf(rule).map((message) => ({ ...place(['rules', index]), path: `rules.${String(index)}`, message })),
  );
  return { ok: true, document: { name, rules: rules.map((rule, index) => toRule(rule, place(['rules', index]).line)) }, warnings, place };
}

function parse(text: string, lineCounter: LineCounter): Document | undefined {
  try {
    return parseDocument(text, {
      version: '1.2',
      schema: 'core',
      uniqueKeys: true,
      merge: false,
      lineCounter,
      prettyErrors: true,
      logLevel: 'silent',
    });
  } catch {
    return undefined; // whatever the parser stumbles over cannot be read
  }
}

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (const character of text) {
    if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth = Math.max(0, depth - 1);
    if (depth > MAX_NESTING) return true;
  }
  return /^(\s*-\s){40}/m.test(text) || /^ {400}/m.test(text);
}

/** Forms of YAML that mean other than they seem. */
function oddity(document: Document, counter: LineCounter): PolicyIssue | undefined {
  let found: PolicyIssue | undefined;
  visit(document, (_key, node) => {
    if (!isNode(node)) return undefined;
    const message = isAlias(node) || (node as { anchor?: string }).anchor !== undefined ? 'anchors and aliases are not taken' : node.tag !== undefined && !/^tag:yaml\.org,2002:/.test(node.tag) ? 'tags are not taken' : undefined; // prettier-ignore
    if (message === undefined) return undefined;
    const { line, col } = counter.linePos(node.range?.[0] ?? 0);
    found = { line, column: col, path: '', message };
    return visit.BREAK;
  });
  return found;
}

/** The issues of the branch of a union that comes nearest, instead of "invalid input". */
function flat(
  issue: {
    readonly code?: string | undefined;
    readonly path: PropertyKey[];
    readonly message: string;
    readonly errors?: unknown;
    readonly keys?: unknown;
  },
  before: Path,
): { readonly path: Path; readonly message: string }[] {
  const path = [...before, ...issue.path];
  if (issue.code === 'unrecognized_keys' && Array.isArray(issue.keys))
    return issue.keys.map((key) => ({ path: [...path, String(key)], message: 'is not a key that is known here' }));
  if (issue.code !== 'invalid_union' || !Array.isArray(issue.errors)) return [{ path, message: issue.message }];
  const branches = issue.errors as (readonly Parameters<typeof flat>[0][])[];
  const nearest = branches.toSorted((one, other) => depthOf(other) - depthOf(one))[0] ?? [];
  return nearest.length === 0 ? [{ path, message: issue.message }] : nearest.flatMap((inner) => flat(inner, path));
}

function depthOf(issues: readonly { readonly path: PropertyKey[]; readonly code?: string | undefined }[]): number {
  return Math.max(...issues.map(({ path, code }) => path.length * 2 + Number(code !== 'invalid_type')), 0);
}

/** The place of the value at a path, or of the nearest thing around it that exists. For a key that is not taken: of the key. */
function placeOf(document: Document, counter: LineCounter, path: Path): { readonly line: number; readonly column: number } {
  for (let length = path.length; length >= 0; length -= 1) {
    const inner = path.slice(0, length);
    const parent: unknown = inner.length === 0 ? document.contents : document.getIn(inner.slice(0, -1), true);
    const key = inner.at(-1);
    const offset = inner.length === 0 ? startOf(document.contents) : childStart(parent, key);
    if (offset === undefined) continue;
    const { line, col } = counter.linePos(offset);
    return { line, column: col };
  }
  return { line: 1, column: 1 };
}

function childStart(parent: unknown, key: PropertyKey | undefined): number | undefined {
  if (!isCollection(parent)) return undefined;
  if (isMap(parent)) {
    const pair = parent.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === String(key));
    return pair === undefined ? undefined : startOf(pair.key);
  }
  return startOf(parent.items[Number(key)]);
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** What makes a rule meaningless or dangerous although each part of it is well formed. */
function faultsOf(rule: WrittenRule, before: readonly WrittenRule[]): readonly (readonly [readonly string[], string])[] {
  const faults: (readonly [readonly string[], string])[] = [];
  const { name, match, outcome, ask, limits } = rule;
  if (before.some((other) => other.name === name)) faults.push([['name'], 'is the name of an earlier rule']);
  if (outcome === undefined && limits === undefined) faults.push([[], 'has neither an outcome nor limits']);
  if (ask !== undefined && outcome !== 'ask') faults.push([['ask'], 'belongs to the outcome ask']);
  if (limits !== undefined && outcome === 'deny') faults.push([['limits'], 'mean nothing where all is denied']);
  if (match.subcommand !== undefined && match.tool === undefined)
    faults.push([['match', 'subcommand'], 'needs the tool that it belongs to']);
  if (match.argv !== undefined && (match.tool ?? match.subcommand) !== undefined) faults.push([['match', 'argv'], 'says the tool already']);
  if (outcome !== 'allow') return faults;
  if (match.tool === undefined && match.argv === undefined) faults.push([['match'], 'of an allow names the tool or the whole argv']);
  if (match.principal?.some((who) => !UUID.test(who)) === true)
    faults.push([['match', 'principal'], 'of an allow names principals by id: several tokens may have one name']);
  return faults;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function warningsOf({ match, ask, examples, outcome }: WrittenRule): readonly string[] {
  const cannotDecide =
    ask?.role !== undefined && ask.people === undefined && ask.role.every((role) => role === 'viewer' || role === 'operator');
  return [
    ...(cannotDecide ? ['People with only these roles may not decide, so nobody may'] : []),
    ...(outcome === 'allow' && examples.not_match.length === 0
      ? ['An allow without an example that must not match may let more through than is meant']
      : []),
    ...(match.connector_action !== undefined ? ['Matches actions of connectors only, never a command'] : []),
  ];
}

function toRule({ name, match, outcome, ask, limits, reason, examples }: WrittenRule, line: number): PolicyRule {
  return {
    name,
    match: {
      workspaces: match.workspace ?? [],
      principals: match.principal ?? [],
      kinds: match.kind ?? [],
      roles: match.role ?? [],
      sessions: match.session ?? [],
      modes: match.mode ?? [],
      tools: match.tool ?? [],
      subcommands: match.subcommand ?? [],
      argv: match.argv ?? null,
      cwd: match.cwd ?? null,
      effects: match.effect ?? [],
      paths: match.path ?? [],
      hosts: match.host ?? [],
      risks: match.risk ?? [],
      findings: match.finding ?? [],
      connectorActions: match.connector_action ?? [],
      times: (match.time ?? []).map(({ zone, weekdays = [], from = null, to = null }) => ({ zone, weekdays, from, to })),
    },
    outcome: outcome ?? null,
    ask:
      outcome === 'ask'
        ? {
            deciders: ask?.role === undefined && ask?.people === undefined ? [] : [{ roles: ask.role ?? [], people: ask.people ?? [] }],
            quorum: ask?.quorum ?? 1,
            notRequester: ask?.not_requester ?? false,
            withinMs: ask?.within ?? null,
            onExpiry: ask?.on_expiry ?? 'deny',
            remember: ask?.remember ?? true,
          }
        : null,
    limits: limits
      ? {
          timeoutMs: limits.timeout ?? null,
          maxOutputBytes: limits.output ?? null,
          hosts: limits.network ?? null,
          sandboxRequired: limits.sandbox === 'required',
        }
      : null,
    reason: reason ?? null,
    examples: { match: examples.match, notMatch: examples.not_match },
    line,
  };
}

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}

function failed(line: number, column: number, message: string): ReadDocument {
  return { ok: false, issues: [{ line, column, path: '', message }] };
}
