import { parse, type Command, type Redirected, type Redirection, type Word } from 'unbash';
import { plainWord } from './words.js';

const MAX_COMMANDS = 64;
/** Every level of substitution is parsed anew. */
const MAX_LEVELS = 12;
/** Properties that the parser works out only when they are asked for. */
const ON_DEMAND = ['parts', 'script', 'value', 'expression'] as const;
/** Stands for a word whose text is only known to a running shell. */
const COMPUTED = 'x';

/** One command somewhere in a text for a shell, as far as its words are plain. */
export interface InnerCommand {
  readonly argv: readonly string[];
  /** Variables that are set for this command only. */
  readonly env: readonly (readonly [name: string, value: string])[];
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/**
 * Every simple command inside a text for a shell: in loops, conditions, functions, subshells and substitutions.
 * It is a help to name what a text does, never a proof that it does nothing else.
 */
export function commandsInside(text: string): readonly InnerCommand[] {
  const found: InnerCommand[] = [];
  collect(parse(text), found, 0);
  return found;
}

function collect(node: unknown, found: InnerCommand[], level: number): void {
  if (typeof node !== 'object' || node === null || found.length >= MAX_COMMANDS || level > MAX_LEVELS) return;
  if (Array.isArray(node)) {
    for (const item of node) collect(item, found, level);
    return;
  }
  if (isCommand(node)) {
    const command = innerCommand(node);
    if (command !== null) found.push(command);
    collect([node.name, node.prefix, node.suffix], found, level);
    return;
  }
  if ('type' in node && node.type === 'Redirected' && 'redirects' in node) {
    const { reads, writes } = filesOf((node as Redirected).redirects); // the type says so
    found.push({ argv: [], env: [], reads, writes });
  }
  for (const value of Object.values(node)) collect(value, found, level);
  for (const name of ON_DEMAND)
    if (!Object.hasOwn(node, name)) collect(Reflect.get(node, name), found, name === 'script' ? level + 1 : level);
}

function isCommand(node: object): node is Command {
  return 'type' in node && node.type === 'Command';
}

function innerCommand({ name, prefix, suffix }: Command): InnerCommand | null {
  const program = name === undefined ? null : plainText(name);
  if (program === null || program === '') return null;
  return {
    argv: [program, ...suffix.flatMap((part) => (part.type === 'Word' ? [wordOf(part)] : part.type === 'Assignment' ? [part.text] : []))],
    env: prefix.flatMap((part) =>
      part.type === 'Assignment' ? [[part.name, part.value.type === 'Word' ? wordOf(part.value) : COMPUTED] as const] : [],
    ),
    ...filesOf([...prefix, ...suffix]),
  };
}

function filesOf(parts: readonly { readonly type: string }[]): Pick<InnerCommand, 'reads' | 'writes'> {
  const redirects = parts.flatMap((part) => (isRedirect(part) && part.target ? [{ operator: part.operator, to: part.target }] : []));
  const files = redirects.filter(({ operator }) => operator !== '<&' && operator !== '>&');
  return {
    reads: files.filter(({ operator }) => operator === '<').flatMap(({ to }) => plainText(to) ?? []),
    writes: files.filter(({ operator }) => operator !== '<').flatMap(({ to }) => plainText(to) ?? []),
  };
}

function isRedirect(part: { readonly type: string }): part is Extract<Redirection, { type: 'Redirect' }> {
  return part.type === 'Redirect';
}

function plainText(word: Word): string | null {
  const plain = plainWord(word);
  if (plain.ok) return plain.text.includes('\n') ? null : plain.text;
  return word.text.startsWith('~') ? word.text : null;
}

function wordOf(word: Word): string {
  const plain = plainText(word);
  if (plain !== null) return plain;
  return /[\s/]/.test(word.text) ? COMPUTED : word.text;
}
