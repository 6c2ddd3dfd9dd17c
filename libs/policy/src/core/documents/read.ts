import { isAlias, isCollection, isMap, isNode, isPair, isScalar, LineCounter, parseDocument, visit, type Document } from 'yaml';
import type { PolicyIssue, PolicyText } from '#contracts';
import { lineFault } from '../display.js';
import { faultsOf, toRule, warningsOf } from './rules-of.js';
import { documentShape } from './shape.js';

export const MAX_DOCUMENT_BYTES = 256 * 1024;
/** Deeper than any document is; a parser that is led deeper runs out of stack. */
const MAX_NESTING = 40;
const MAX_ISSUES = 100;

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
    const issues = shaped.error.issues.flatMap((issue) => flat(issue, [])).slice(0, MAX_ISSUES).map(({ path, message }) => ({ ...place(path), path: path.map(String).join('.'), message })); // prettier-ignore
    return { ok: false, issues };
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
  return /^ *(?:- ){40}/m.test(text) || /^ {400}/m.test(text);
}

/** Forms of YAML that mean other than they seem. */
function oddity(document: Document, counter: LineCounter): PolicyIssue | undefined {
  let found: PolicyIssue | undefined;
  visit(document, (_key, node) => {
    if (!isNode(node)) return undefined;
    const hasAnchor = isAlias(node) || (node as { readonly anchor?: string }).anchor !== undefined; // scalars and collections have one
    const message = hasAnchor ? 'anchors and aliases are not taken' : node.tag === undefined ? undefined : 'tags are not taken';
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

function firstLine(message: string): string {
  return message.split('\n', 1)[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}

function failed(line: number, column: number, message: string): ReadDocument {
  return { ok: false, issues: [{ line, column, path: '', message }] };
}
