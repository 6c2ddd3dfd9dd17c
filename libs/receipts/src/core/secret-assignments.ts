import { flagLead, isInMarker, namedLead, NONE, DOUBLE } from './assignment-leads.js';
import { match, whole, type Anchor, type Found } from './found.js';

/** Words that a secret is assigned to, in any case. */
export const ASSIGNMENT_ANCHORS: readonly string[] = [
  ...['password', 'passwd', 'passphrase', 'secret', 'token', 'apikey', 'api_key', 'api-key', 'accesskey', 'access_key', 'access-key'],
  ...['privatekey', 'private_key', 'private-key', 'credential', 'auth_key', 'pwd'],
];

/** References and empty values, not secrets; and what is hidden already. */
const NOT_A_SECRET = new RegExp(
  [
    '\\[REDACTED',
    '(?:null|NULL|Null|none|None|NONE|nil|undefined|true|false|True|False)(?![A-Za-z0-9_])',
    '\\$\\{[A-Za-z_][A-Za-z0-9_]{0,60}\\}',
    '\\$[A-Z_]{2,60}(?![^\\s"\'`])',
    '(?:process\\.env|import\\.meta|os\\.environ|os\\.getenv)(?![A-Za-z0-9_])',
    '[A-Za-z_$][A-Za-z0-9_$.]{0,60}[([]',
  ].join('|'),
  'y',
);
/** `tokens: 1523` is a count. */
const COUNT = /[0-9]{1,9}(?![^\s,;)}\]])/y;
const DOUBLE_VALUE = /[^"\r\n]{4}/y;
const SINGLE_VALUE = /[^'`\r\n]{4}/y;
/** Eight units, or four with something that words do not hold. */
const PLAIN_VALUE = /(?=[^\s"'`]{8}|[^\s"'`]{0,7}[^A-Za-z\s"'`])[^\s"'`]{4}/y;

export function findAssignment(text: string, { start, end }: Anchor): Found | undefined {
  const lead = namedLead(text, end) ?? flagLead(text, start, end);
  if (!lead || isInMarker(text, start)) return undefined;
  const at = lead.end;
  if (match(NOT_A_SECRET, text, at) || isWorkingFolder(text, start, at)) return undefined;
  const mayBeNumber = (text.charCodeAt(end - 1) | 32) === 100; // `…password`, `…pwd`
  if (!mayBeNumber && match(COUNT, text, at)) return undefined;
  switch (lead.quote) {
    case DOUBLE:
      return whole(DOUBLE_VALUE, text, at, 'double');
    case NONE:
      return isPlainSecret(text, at, lead.isTight)
        ? (whole(PLAIN_VALUE, text, at, 'value') ?? whole(TIGHT_WORD, text, at, 'value'))
        : undefined;
    default:
      return whole(SINGLE_VALUE, text, at, 'single');
  }
}

const FOLDER = /\/[A-Za-z0-9._/@+~-]{0,400}(?![^\s"'`:;,)}\]])/y;

/** `PWD=/srv/site`, as a shell tells where it is. In a list such as `UID=sa;PWD=…` it is a password all the same. */
function isWorkingFolder(text: string, start: number, at: number): boolean {
  if (!text.startsWith('PWD', start)) return false;
  const begin = text.startsWith('OLD', start - 3) ? start - 3 : start;
  return /^[\s"'`]?$/.test(text.charAt(begin - 1)) && match(FOLDER, text, at) !== null;
}

const CODE = /[()[\]{}<>|&?!,;=*]/y;
/** A name, as programs have them, up to where the name ends. */
const NAME = /[A-Za-z_$][A-Za-z_$.]{0,80}(?=[\s,;)\]}|&<>?!(:"'`]|$)/y;
const AFTER_TIGHT = /(?=[\s&;"'`]|$)/y;
const AFTER_LOOSE = /(?=[ \t]{0,8}(?:[\r\n]|$))/y;
const TIGHT_WORD = /[A-Za-z_]{4}/y;
const OF_A_PROGRAM = /[a-z][A-Z]|[._$]/;
const TYPES =
  /^(?:string|number|boolean|bigint|symbol|object|unknown|buffer|bytes|integer|varchar|function|promise|required|optional|hidden)$/i;

/**
 * Without quotes a value may be code: `token: string,` is none, `password: hunter2` is. A value with digits or signs is a
 * secret; a mere word is one in the tight form, and in the loose one when nothing follows it and no type is called so.
 */
function isPlainSecret(text: string, at: number, isTight: boolean): boolean {
  if (match(CODE, text, at)) return false;
  const name = match(NAME, text, at)?.[0];
  if (name === undefined) return true;
  const end = at + name.length;
  if (isTight) return name.length >= 4 && !name.includes('.') && match(AFTER_TIGHT, text, end) !== null;
  return name.length >= 6 && !OF_A_PROGRAM.test(name) && !TYPES.test(name) && match(AFTER_LOOSE, text, end) !== null;
}
