import type { CommandBody, Stage, StageJoin } from '#contracts';

const JOINS: Readonly<Record<Exclude<StageJoin, 'first'>, string>> = { pipe: '|', and: '&&', or: '||', then: ';' };
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** The command as a person reads it: the caller's own text, or the argv with quotes where a word needs them. */
export function commandText({ command, stages }: Pick<CommandBody, 'command' | 'stages'>): string {
  return command ?? stages.flatMap(({ join, argv }) => [...joinWord(join), ...argv.map(quoted)]).join(' ');
}

/** All words of all stages, joins included; for one stage simply its argv. */
export function commandWords(stages: readonly Stage[]): readonly string[] {
  return stages.flatMap(({ join, argv }) => [...joinWord(join), ...argv]);
}

function joinWord(join: StageJoin): readonly string[] {
  return join === 'first' ? [] : [JOINS[join]];
}

function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The first words of a command for lists; control characters become visible. */
export function summaryOf(body: Pick<CommandBody, 'command' | 'stages'>, maxLength = 120): string {
  const text = commandText(body).replaceAll(/[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g, escaped);
  const characters = Array.from(text);
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength - 1).join('')}…`;
}

function escaped(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
