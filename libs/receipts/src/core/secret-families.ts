import { ASSIGNMENT_ANCHORS, findAssignment } from './secret-assignments.js';
import { afterLead, isLetterOrDigit, match, whole, type Anchor, type Found, type Tail } from './found.js';

export interface Family {
  readonly kind: string;
  /** One of these, in any case, must occur for the family to be looked at. */
  readonly anchors: readonly string[];
  /** Looks at most `FAMILY_REACH` units ahead. */
  readonly find: (text: string, anchor: Anchor) => Found | undefined;
  /** A hit inside a stretch that is hidden already, up to the end of this class, adds nothing. */
  readonly within?: Tail;
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
    anchors: ASSIGNMENT_ANCHORS,
    find: findAssignment,
  },
];

function token(kind: string, anchors: readonly string[], pattern: RegExp, tail: Tail): Family {
  return {
    kind,
    anchors,
    find: (text, { start, end }) => (isTokenUnit(text.charCodeAt(end)) ? whole(pattern, text, start, tail) : undefined),
    within: tail,
  };
}

/** Every token goes on with one of these; asking first is cheaper than a pattern. */
function isTokenUnit(unit: number): boolean {
  return isLetterOrDigit(unit) || unit === 95 || unit === 45;
}

const API_KEY = /sk-[A-Za-z0-9_-]{20}/y;

function findApiKey(text: string, { start, end }: Anchor): Found | undefined {
  return isLetterOrDigit(text.charCodeAt(start - 1)) || !isTokenUnit(text.charCodeAt(end))
    ? undefined
    : whole(API_KEY, text, start, 'word');
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

const MOST_USERINFO = 430;

function findUserinfo(text: string, { start, end }: Anchor): Found | undefined {
  if (!holdsUserinfo(text, end)) return undefined;
  return afterLead(USER_PASSWORD, text, start, undefined) ?? afterLead(USER_TOKEN, text, start, undefined);
}

/** Space, line breaks, slash, quotes and angles. */
const ENDS_HOST = [47, 32, 9, 10, 11, 12, 13, 34, 39, 60, 62];

/** An `@` before the path: an address without one is the usual case. */
function holdsUserinfo(text: string, from: number): boolean {
  for (let at = from; at < from + MOST_USERINFO; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 64) return true;
    if (Number.isNaN(unit) || ENDS_HOST.includes(unit)) return false;
  }
  return false;
}

const SIMPLE_SCHEME = /(\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:bearer|basic|token|apikey)[ \t]{1,4})(?!\[REDACTED)[^\s"']{4}/iy;
const LONG_SCHEME = /(\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?:digest|negotiate|aws4-hmac-sha256)[ \t]{1,4})(?!\[REDACTED)[^\r\n"']{4}/iy;
const NO_SCHEME = /(\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?)(?!\[REDACTED)(?=[^\s"']{0,40}[0-9])[^\s"']{8}/y;
const BEARER = /([ \t]{1,4})(?!\[REDACTED)[A-Za-z0-9._~+/=-]{20}/y;

/** Blank, tab, quotes, backslash, `:` and `=`: what may stand behind the name of the header. */
const LEADS_ON = [32, 9, 58, 61, 34, 39, 92];

function findAuthorization(text: string, { start, end }: Anchor): Found | undefined {
  if (!LEADS_ON.includes(text.charCodeAt(end))) return undefined;
  if (end - start === 'bearer'.length) return afterLead(BEARER, text, end, 'token');
  return (
    afterLead(SIMPLE_SCHEME, text, end, 'value') ?? afterLead(LONG_SCHEME, text, end, 'header') ?? afterLead(NO_SCHEME, text, end, 'value')
  );
}
