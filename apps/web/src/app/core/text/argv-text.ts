import type { Redirect, Stage, StageJoin } from '#contracts';
import { familyOf } from './hidden.js';

const PLAIN_WORD = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Operators as they are drawn between stages; the first stage has none. */
export const OPERATORS: Readonly<Record<StageJoin, string>> = { first: '', pipe: '|', and: '&&', or: '||', then: ';' };

const ARROWS: Readonly<Record<Redirect['stream'], string>> = { stdin: '<', stdout: '>', stderr: '2>', both: '&>' };

export function arrowOf(redirect: Redirect): string {
  return ARROWS[redirect.stream] + (redirect.append ? '>' : '');
}

/** One word so that a shell reads the same word back, with nothing hidden left in it. */
export function quoteWord(word: string): string {
  if (word === '') return "''";
  if (PLAIN_WORD.test(word)) return word;
  const characters = [...word];
  if (!characters.some((character) => familyOf(character) !== undefined)) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  return `$'${characters.map(escapeCharacter).join('')}'`;
}

function escapeCharacter(character: string): string {
  if (character === '\n') return String.raw`\n`;
  if (character === '\t') return String.raw`\t`;
  if (character === '\\' || character === "'") return `\\${character}`;
  if (familyOf(character) === undefined) return character;
  const point = character.codePointAt(0) ?? 0;
  return point > 0xffff
    ? `\\U${point.toString(16).toUpperCase().padStart(8, '0')}`
    : `\\u${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

export function quoteArgv(argv: readonly string[]): string {
  return argv.map(quoteWord).join(' ');
}

/** All stages as one escaped line that can be read, compared and copied. */
export function oneLine(stages: readonly Stage[]): string {
  return stages
    .map((stage) => {
      const redirects = stage.redirects.map((redirect) => ` ${arrowOf(redirect)} ${quoteWord(redirect.path)}`).join('');
      const operator = stage.join === 'then' ? '; ' : ` ${OPERATORS[stage.join]} `;
      return `${stage.join === 'first' ? '' : operator}${quoteArgv(stage.argv)}${redirects}`;
    })
    .join('');
}

export function wordCount(stages: readonly Stage[]): number {
  return stages.reduce((sum, stage) => sum + stage.argv.length, 0);
}

export function byteCount(stages: readonly Stage[]): number {
  return new TextEncoder().encode(stages.map((stage) => stage.argv.join(' ')).join(' ')).length;
}

/** Where the executable of each stage and of each wrapped command begins, as word positions. */
export function executables(argv: readonly string[], wrapped: readonly (readonly string[])[]): ReadonlySet<number> {
  const starts = new Set([0]);
  for (const inner of wrapped) {
    const start = argv.length - inner.length;
    if (inner.length > 0 && start > 0 && inner.every((word, index) => argv[start + index] === word)) starts.add(start);
  }
  return starts;
}
