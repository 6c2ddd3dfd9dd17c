import type { Compiled } from './compile.js';
import type { GivenOption, Operand, Option, Words } from './shapes.js';

interface Found {
  options: GivenOption[];
  operands: Operand[];
  unknown: string[];
  dashes: number | null;
}

/**
 * Reads the words of an argv from `start` as its tool would. With a `limit` the reading ends before the operand behind
 * that many; without one all is read, and the style decides whether options may follow operands.
 */
export function readWords(compiled: Compiled, argv: readonly string[], start: number, limit: number | null): Words {
  const found: Found = { options: [], operands: [], unknown: [], dashes: null };
  const mixed = compiled.style === 'gnu' && limit === null;
  let at = start;
  let ended = false;
  while (at < argv.length) {
    const word = argv[at] ?? '';
    const optionsEnded = ended || found.dashes !== null || (!mixed && found.operands.length > 0);
    if (!optionsEnded && isOption(compiled, word)) {
      if (word === '--') found.dashes = at;
      const before = found.options.length;
      at = word === '--' ? at + 1 : readOption(compiled, argv, at, found);
      ended ||= found.options.slice(before).some(({ option }) => compiled.last.has(option.name));
      continue;
    }
    if (limit !== null && found.operands.length >= limit) break;
    found.operands.push({ text: word, at });
    at += 1;
  }
  return { ...found, next: at };
}

function isOption({ style }: Compiled, word: string): boolean {
  return style !== 'none' && word.length > 1 && word.startsWith('-');
}

function readOption(compiled: Compiled, argv: readonly string[], at: number, found: Found): number {
  const word = argv[at] ?? '';
  if (compiled.style === 'go') return readSingle(compiled, argv, at, word.replace(/^--?/, '-'), found);
  if (word.startsWith('--')) return readSingle(compiled, argv, at, word, found);
  // A few tools have long names behind one dash.
  if (compiled.options.has(word) && word.length > 2) return take(compiled.options.get(word), word, null, argv, at, found);
  if (compiled.grammar.numbers === true && /^-\d+$/.test(word)) return at + 1;
  return readCluster(compiled, argv, at, found);
}

function readSingle(compiled: Compiled, argv: readonly string[], at: number, word: string, found: Found): number {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  const glued = equals < 0 ? null : word.slice(equals + 1);
  const option = lookUp(compiled, name);
  if (!option || (option.value === null && glued !== null)) {
    found.unknown.push(argv[at] ?? '');
    // A value for a flag is an error of the caller; what the flag stands for still counts.
    if (option) found.options.push({ option, as: name, value: null, at });
    return at + 1;
  }
  return take(option, name, glued, argv, at, found);
}

/** Exact name, or the only one that it is a beginning of. Spellings of the same option do not make it ambiguous. */
function lookUp({ options, abbreviations, longs }: Compiled, name: string): Option | undefined {
  const exact = options.get(name);
  if (exact || !abbreviations || name.length < 3 || !name.startsWith('--')) return exact;
  const meant = new Set(longs.filter((long) => long.startsWith(name)).map((long) => options.get(long)));
  return meant.size === 1 ? [...meant][0] : worstOf([...meant]);
}

/** Among several meanings the one that does most: another version of the tool may know only that one. */
function worstOf(meant: readonly (Option | undefined)[]): Option | undefined {
  const known = meant.filter((option) => option !== undefined);
  return known.find(({ value, rules }) => value === 'program' || rules.length > 0);
}

function readCluster(compiled: Compiled, argv: readonly string[], at: number, found: Found): number {
  const word = argv[at] ?? '';
  const letters = Array.from(word.slice(1));
  const unknown = new Set<string>();
  for (let index = 0; index < letters.length; index += 1) {
    // Tools with long names behind one dash take the longest name that fits.
    const pair = `-${letters.slice(index, index + 2).join('')}`;
    const long = compiled.pairs.has(pair) && (compiled.options.get(pair)?.value ?? null) !== null;
    if (long) index += 1;
    const as = long ? pair : `-${letters[index] ?? ''}`;
    const option = compiled.options.get(as);
    if (!option) {
      if (compiled.grammar.numbers === true && /^\d$/.test(as.slice(1))) continue;
      if (unknown.has(as)) continue;
      unknown.add(as);
      found.unknown.push(index === 0 ? word : as);
      continue;
    }
    if (option.value === null) found.options.push({ option, as, value: null, at });
    else return take(option, as, letters.slice(index + 1).join('') || null, argv, at, found);
  }
  return at + 1;
}

function take(option: Option | undefined, as: string, glued: string | null, argv: readonly string[], at: number, found: Found): number {
  if (!option) return at + 1;
  if (option.value === null || glued !== null || option.optional) {
    found.options.push({ option, as, value: glued, at });
    return at + 1;
  }
  const next = argv[at + 1];
  found.options.push({ option, as, value: next ?? null, at: at + 1 });
  if (next === undefined) found.unknown.push(as);
  return at + 2;
}
