import type * as z from 'zod';

export interface InputIssue {
  /** Such as `argv.0`. */
  readonly path: string;
  /** The rule that was broken; never the value that broke it. */
  readonly rule: string;
}

const MAX_ISSUES = 10;
const PLAIN_KEY = /^[\w.-]{1,64}$/;

/** What is wrong with an input, for the caller: paths and rules, never values. */
export function toInputIssues(error: z.ZodError): readonly InputIssue[] {
  return error.issues.slice(0, MAX_ISSUES).map((issue) => ({ path: pathOf(issue), rule: ruleOf(issue) }));
}

export function describeIssues(issues: readonly InputIssue[]): string {
  return `The input does not fit: ${issues.map(({ path, rule }) => (path === '' ? rule : `${path} ${rule}`)).join('; ')}`;
}

/** Keys of the caller's own making stand in a path only when they look like names. */
function pathOf({ path }: z.core.$ZodIssue): string {
  return path.map((step) => (PLAIN_KEY.test(String(step)) ? String(step) : '?')).join('.');
}

function ruleOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined && issue.message.endsWith('undefined') ? 'is required' : `must be ${withArticle(issue.expected)}`;
    case 'too_big':
      return `must be at most ${String(issue.maximum)}${unitOf(issue.origin)}`;
    case 'too_small':
      return `must be at least ${String(issue.minimum)}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return `must be a valid ${issue.format}`;
    case 'not_multiple_of':
      return `must be a multiple of ${String(issue.divisor)}`;
    case 'unrecognized_keys':
      return `has no such fields: ${issue.keys.map((key) => (PLAIN_KEY.test(key) ? key : '?')).join(', ')}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return 'fits none of the allowed forms';
    case 'invalid_key':
    case 'invalid_element':
      return 'holds an invalid entry';
    case 'custom':
      return issue.message; // written by us, in the schema
  }
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters';
  return origin === 'array' || origin === 'set' ? ' items' : '';
}

function withArticle(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
