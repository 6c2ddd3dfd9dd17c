/** A stretch of text to hide. `tail` is the class of units that go on belonging to it, however long it is. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly tail: Tail | undefined;
}

/** Which units continue a secret. Each class is walked at most once per place, so the walk is linear. */
export type Tail = 'word' | 'token' | 'value' | 'double' | 'single' | 'header';

export interface Family {
  readonly kind: string;
  /** One of these, in any case, must occur for the family to be looked at. */
  readonly anchors: readonly string[];
  /** Looks at most `FAMILY_REACH` units ahead. */
  readonly find: (text: string, anchor: Anchor) => Found | undefined;
  /** A hit inside a stretch that is hidden already, up to the end of this class, adds nothing. */
  readonly within?: Tail;
}

/** Where an anchor stands. `run` is the end of a run of one class, walked once however often it is asked for. */
export interface Anchor {
  readonly start: number;
  readonly end: number;
  readonly run: (tail: Tail, from: number) => number;
}

/** No family needs more text than this after its anchor begins. */
export const FAMILY_REACH = 512;

/** Families in order of how exactly they say what was found. Every quantifier is bounded; tails do the rest. */
export const FAMILIES: readonly Family[] = [
  token('aws-key', ['AKIA', 'ASIA', 'ABIA', 'ACCA'], /[A-Z]{4}[A-Z0-9]{16}/y, 'word'),
  token('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], /gh[pousr]_[A-Za-z0-9]{30}/y, 'word'),
  token('github-pat', ['github_pat_'], /github_pat_[A-Za-z0-9_]{22}/y, 'word'),
  token(
    'slack-token',
    ['xoxa-', 'xoxb-', 'xoxe-', 'xoxe.', 'xoxo-', 'xoxp-', 'xoxr-', 'xoxs-', 'xapp-'],
    /x(?:ox[abeoprs]|app)[.-][A-Za-z0-9-]{10}/y,
    'token',
  ),
  token('npm-token', ['npm_'], /npm_[A-Za-z0-9]{36}/y, 'word'),
  token('gitlab-token', ['glpat-', 'gldt-', 'glrt-', 'glptt-', 'glcbt-'], /gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_-]{20}/y, 'token'),
  token('google-key', ['AIza'], /AIza[A-Za-z0-9_-]{35}/y, 'word'),
  token('countersign-token', ['csn_'], /csn_[A-Za-z0-9_-]{32}/y, 'word'),
  { kind: 'jwt', anchors: ['eyJ'], find: findJwt, within: 'token' },
  { kind: 'api-key', anchors: ['sk-'], find: findApiKey, within: 'word' },
  { kind: 'url-userinfo', anchors: ['://'], find: findUserinfo },
  { kind: 'authorization', anchors: ['authorization', 'bearer'], find: findAuthorization },
  {
    kind: 'secret-assignment',
    anchors: [
      ...['password', 'passwd', 'passphrase', 'secret', 'token', 'apikey', 'api_key', 'api-key', 'accesskey', 'access_key', 'access-key'],
      ...['privatekey', 'private_key', 'private-key', 'credential', 'auth_key', 'pwd'],
    ],
    find: findAssignment,
  },
];

function token(kind: string, anchors: readonly string[], pattern: RegExp, tail: Tail): Family {
  return { kind, anchors, find: (text, { start }) => whole(pattern, text, start, tail), within: tail };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function whole(pattern: RegExp, text: string, start: number, tail: Tail): Found | undefined {
  const found = match(pattern, text, start);
  return found ? { start, end: start + found[0].length, tail } : undefined;
}

/** What a match leaves standing comes first, in group 1; the secret is the rest. */
function afterLead(pattern: RegExp, text: string, at: number, tail: Tail | undefined): Found | undefined {
  const found = match(pattern, text, at);
  return found ? { start: at + (found[1] ?? '').length, end: at + found[0].length, tail } : undefined;
}

const API_KEY = /sk-[A-Za-z0-9_-]{20}/y;

function findApiKey(text: string, { start }: Anchor): Found | undefined {
  return isLetterOrDigit(text.charCodeAt(start - 1)) ? undefined : whole(API_KEY, text, start, 'word');
}

const MAX_JWT_HEADER = 400;
const JWT_BODY = /\.[A-Za-z0-9_-]{8}/y;

function findJwt(text: string, { start, run }: Anchor): Found | undefined {
  if (!text.startsWith('eyJ', start)) return undefined;
  const dot = run('word', start);
  if (dot - start < 11 || dot - start > MAX_JWT_HEADER || !match(JWT_BODY, text, dot)) return undefined;
  return { start, end: dot + 1, tail: 'token' };
}

const USER_PASSWORD = /(:\/\/[^\s/@:"'<>]{0,128}:)(?!\[REDACTED)[^\s/"'<>]{1,300}(?=@)/y;
const USER_TOKEN = /(:\/\/)(?!\[REDACTED)[^\s/@:"'<>]{16,300}(?=@)/y;

function findUserinfo(text: string, { start }: Anchor): Found | undefined {
  return afterLead(USER_PASSWORD, text, start, undefined) ?? afterLead(USER_TOKEN, text, start, undefined);
}

const SIMPLE_SCHEME = /(\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:bearer|basic|token|apikey)[ \t]{1,4})(?!\[REDACTED)[^\s"']{4}/iy;
const LONG_SCHEME = /(\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:digest|negotiate|aws4-hmac-sha256)[ \t]{1,4})(?!\[REDACTED)[^\r\n"']{4}/iy;
const NO_SCHEME = /(\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)(?!\[REDACTED)(?=[^\s"']{0,40}[0-9])[^\s"']{8}/y;
const BEARER = /([ \t]{1,4})(?!\[REDACTED)[A-Za-z0-9._~+/=-]{20}/y;

function findAuthorization(text: string, { start, end }: Anchor): Found | undefined {
  if (end - start === 'bearer'.length) return afterLead(BEARER, text, end, 'token');
  return (
    afterLead(SIMPLE_SCHEME, text, end, 'value') ?? afterLead(LONG_SCHEME, text, end, 'header') ?? afterLead(NO_SCHEME, text, end, 'value')
  );
}

const LEAD = /(?:[_-][A-Za-z0-9_-]{0,24}|[A-Z][A-Za-z0-9]{0,24})?\\?["'`]?\]?[ \t]{0,4}(?:=>|:=|={1,3}|:)[ \t]{0,4}(?:\\?(["'`]))?/y;
/** Our own markers name kinds of secrets. */
const IN_MARKER = /\[REDACTED:[a-z-]{0,28}$/;
const FLAG_LEAD = /[A-Za-z0-9_-]{0,24}[ \t]{1,4}(["'`])?(?!-)/y;
const FLAG_NAME = /(?:^|[\s"'])--?[A-Za-z0-9_-]{0,24}$/;
/** References and empty values, not secrets; and what is hidden already. */
const NOT_A_SECRET = new RegExp(
  [
    '\\[REDACTED',
    '(?:null|NULL|Null|none|None|NONE|nil|undefined|true|false|True|False)(?![A-Za-z0-9_])',
    '\\$\\{[A-Za-z_][A-Za-z0-9_]{0,60}\\}',
    '\\$[A-Z_]{2,60}(?![^\\s"\'`])',
    '(?:process\\.env|import\\.meta|os\\.environ|os\\.getenv)(?![A-Za-z0-9_])',
    '[A-Za-z_$][A-Za-z0-9_$.]{0,60}\\(',
  ].join('|'),
  'y',
);
/** Eight units, or four with something that words do not hold. */
const PLAIN_VALUE = /(?=[^\s"'`]{8}|[^\s"'`]{0,7}[^A-Za-z\s"'`])[^\s"'`]{4}/y;
const DOUBLE_VALUE = /[^"\r\n]{4}/y;
const SINGLE_VALUE = /[^'`\r\n]{4}/y;
/** `tokens: 1523` is a count. */
const COUNT = /[0-9]{1,9}(?![^\s,;)}\]])/y;

function findAssignment(text: string, { start, end }: Anchor): Found | undefined {
  const lead = match(LEAD, text, end) ?? flagLead(text, start, end);
  if (!lead || IN_MARKER.test(text.slice(Math.max(0, start - 40), start))) return undefined;
  const at = end + lead[0].length;
  if (match(NOT_A_SECRET, text, at)) return undefined;
  const mayBeNumber = text.charCodeAt(end - 1) === 100; // `…password`, `…pwd`
  if (!mayBeNumber && match(COUNT, text, at)) return undefined;
  switch (lead[1]) {
    case '"':
      return whole(DOUBLE_VALUE, text, at, 'double');
    case undefined:
      return whole(PLAIN_VALUE, text, at, 'value');
    default:
      return whole(SINGLE_VALUE, text, at, 'single');
  }
}

/** `--password value` */
function flagLead(text: string, start: number, end: number): RegExpExecArray | null {
  const lead = match(FLAG_LEAD, text, end);
  return lead && FLAG_NAME.test(text.slice(Math.max(0, start - 27), start)) ? lead : null;
}

function isLetterOrDigit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
}

/** The index after the last unit that continues a secret of this class, at most `to`. */
export function tailEnd(tail: Tail, text: string, from: number, to: number): number {
  let index = from;
  while (index < to && continues(tail, text.charCodeAt(index))) {
    index += 1;
  }
  return index;
}

function continues(tail: Tail, unit: number): boolean {
  switch (tail) {
    case 'word':
      return isLetterOrDigit(unit) || unit === 95 || unit === 45;
    case 'token':
      return isLetterOrDigit(unit) || '._~+/=-'.includes(String.fromCharCode(unit));
    case 'value':
      return unit > 32 && unit !== 34 && unit !== 39 && unit !== 96;
    case 'double':
      return unit !== 34 && unit !== 10 && unit !== 13;
    case 'single':
      return unit !== 39 && unit !== 96 && unit !== 10 && unit !== 13;
    case 'header':
      return unit !== 34 && unit !== 39 && unit !== 10 && unit !== 13;
  }
}
