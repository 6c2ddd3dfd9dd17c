import { NOT_UNDERSTOOD, type ProgramFacts } from './program-facts.js';

interface Token {
  readonly kind: 'name' | 'number' | 'string' | 'regex' | 'mark' | 'line';
  readonly text: string;
}

const MARKS = ['|&', '||', '&&', '>>', '>=', '<=', '==', '!=', '!~', '++', '--', '+=', '-=', '*=', '/=', '%=', '^=', '**', '|', '>', '<'];
/** Stands behind text that may be other than it looks. */
const UNREAD = 'unread';
const STREAMS = new Set(['/dev/stdout', '/dev/stderr', '-']);
/** Names through which a program chooses its own input files. */
const CHOOSES_FILES = new Set(['ARGV', 'ARGC']);

/** Finds what an awk program reads, writes and runs besides its operands. */
export function readAwk(program: string): ProgramFacts {
  const tokens = tokensOf(program);
  if (!tokens) return { ...NOT_UNDERSTOOD, executes: /system|\|/.test(program) };
  const reads: string[] = [];
  const writes: string[] = [];
  let executes = false;
  let unseen = false;
  let understood = true;
  let printing = false;
  let depth = 0;
  tokens.forEach((token, at) => {
    const { kind, text } = token;
    if (kind === 'line' || text === ';' || text === '{' || text === '}') {
      printing = false;
      depth = 0;
      return;
    }
    if (kind === 'name') {
      if (text === 'system') executes = true;
      if (text === 'print' || text === 'printf') printing = true;
      if (CHOOSES_FILES.has(text)) unseen = true;
      if (text === 'getline') {
        const file = fileOfGetline(tokens, at);
        if (file === null) unseen = true;
        else if (file !== '') reads.push(file);
      }
      return;
    }
    if (kind !== 'mark') return;
    if (text === '(' || text === '[') depth += 1;
    else if (text === ')' || text === ']') depth -= 1;
    else if (text === '|' || text === '|&') executes = true;
    else if (text === UNREAD) understood = false;
    else if (text === '@') {
      // `@name(…)` may call anything, `@load` brings native code; `@include` only adds text that is not seen.
      understood = false;
      if (tokens[at + 1]?.kind === 'name' && tokens[at + 1]?.text !== 'include') executes = true;
    } else if ((text === '>' || text === '>>') && printing && depth === 0) {
      const target = tokens[at + 1];
      const whole = tokens[at + 2];
      if (target?.kind !== 'string' || !endsStatement(whole)) unseen = true;
      else if (!STREAMS.has(target.text)) writes.push(target.text);
    }
  });
  return { reads, writes, executes, unseen, understood };
}

/** '' for the main input, null for a file that is not named by a plain string. */
function fileOfGetline(tokens: readonly Token[], at: number): string | null {
  let next = at + 1;
  while (['name', 'number'].includes(tokens[next]?.kind ?? '') || ['$', '[', ']'].includes(tokens[next]?.text ?? '')) next += 1;
  if (tokens[next]?.text !== '<') return '';
  const file = tokens[next + 1];
  return file?.kind === 'string' && endsStatement(tokens[next + 2]) ? file.text : null;
}

function endsStatement(token: Token | undefined): boolean {
  return token === undefined || token.kind === 'line' || [';', '}', ')'].includes(token.text) || ['>', '&&', '||'].includes(token.text);
}

/** Null when a slash or an escape leaves open what is text and what is program. */
function tokensOf(program: string): readonly Token[] | null {
  const tokens: Token[] = [];
  let at = 0;
  while (at < program.length) {
    const rest = program.slice(at, at + 512);
    const letter = program[at] ?? '';
    const blank = /^([ \t\r]|\\\r?\n)+/.exec(rest)?.[0];
    if (blank !== undefined) {
      at += blank.length;
    } else if (letter === '#') {
      const end = program.indexOf('\n', at);
      at = end < 0 ? program.length : end;
    } else if (letter === '\n') {
      tokens.push({ kind: 'line', text: '\n' });
      at += 1;
    } else if (letter === '"') {
      const text = quoted(program, at, '"');
      if (text === null) return null;
      tokens.push({ kind: 'string', text: text.replaceAll(/\\(["\\/])/g, '$1') });
      if (/\\[^"\\/nt]/.test(text)) tokens.push({ kind: 'mark', text: UNREAD }); // an escape could spell anything
      at += text.length + 2;
    } else if (letter === '/' && startsRegex(tokens)) {
      const text = quoted(program, at, '/');
      if (text === null || /\[[^\]]*$/.test(text)) return null;
      tokens.push({ kind: 'regex', text });
      at += text.length + 2;
    } else {
      const word = /^[A-Za-z_]\w*/.exec(rest)?.[0];
      const number = /^(0[xX][\da-fA-F]+|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)/.exec(rest)?.[0];
      if (number !== undefined && /^[\w.]/.test(rest.slice(number.length))) return null; // versions differ on where it ends
      const text = word ?? number ?? MARKS.find((mark) => rest.startsWith(mark)) ?? letter;
      tokens.push({ kind: word === undefined ? (number === undefined ? 'mark' : 'number') : 'name', text });
      at += text.length;
    }
  }
  return tokens;
}

const BEFORE_REGEX = new Set(['print', 'printf', 'return', 'in', 'getline', 'case', 'else', 'do', 'exit', 'delete']);
const BEFORE_CONDITION = new Set(['if', 'while', 'for', 'switch']);

/** A slash divides behind a value and begins a pattern elsewhere, also behind the condition of a statement. */
function startsRegex(tokens: readonly Token[]): boolean {
  const before = tokens.at(-1);
  if (before === undefined || before.kind === 'line') return true;
  if (before.kind === 'name') return BEFORE_REGEX.has(before.text);
  if (before.text === ')') return closesCondition(tokens);
  return before.kind === 'mark' && ![']', '$', '++', '--'].includes(before.text);
}

/** Whether the last token closes the parenthesis behind `if` and its like. */
function closesCondition(tokens: readonly Token[]): boolean {
  let depth = 0;
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    const { kind, text } = tokens[at] ?? { kind: 'line', text: '' };
    if (kind !== 'mark') continue;
    if (text === ')') depth += 1;
    else if (text === '(' && (depth -= 1) === 0) return BEFORE_CONDITION.has(tokens[at - 1]?.text ?? '');
  }
  return false;
}

function quoted(program: string, at: number, end: string): string | null {
  for (let index = at + 1; index < program.length; index += 1) {
    if (program[index] === '\\') index += 1;
    else if (program[index] === '\n') return null;
    else if (program[index] === end) return program.slice(at + 1, index);
  }
  return null;
}
