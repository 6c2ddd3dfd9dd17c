import type { Kind, OperandSlot, Option, OptionSpec, ValueKind, WordStyle } from './shapes.js';
import type { Grammar } from './tool.js';

/** A grammar ready for use: look-ups instead of lists. */
export interface Compiled {
  readonly grammar: Grammar;
  readonly style: WordStyle;
  readonly abbreviations: boolean;
  readonly options: ReadonlyMap<string, Option>;
  /** Long spellings, for abbreviations. */
  readonly longs: readonly string[];
  /** Names of two letters behind one dash. */
  readonly pairs: ReadonlySet<string>;
  readonly slots: readonly OperandSlot[] | null;
  readonly commands: ReadonlyMap<string, Grammar>;
  /** First spellings of the options that end the reading. */
  readonly last: ReadonlySet<string>;
  readonly about: ReadonlySet<string>;
}

/** Every tool answers these without doing anything else. */
const HARMLESS = '--help --version';

const ready = new WeakMap<Grammar, Compiled>();

export function compile(grammar: Grammar): Compiled {
  const known = ready.get(grammar);
  if (known) return known;
  const style = grammar.style ?? 'gnu';
  const options = new Map<string, Option>();
  for (const name of spellings(`${HARMLESS} ${grammar.about ?? ''} ${grammar.flags ?? ''}`)) options.set(name, flag(name));
  for (const [names, spec] of Object.entries(grammar.options ?? {})) {
    const all = spellings(names);
    const option = toOption(all[0] ?? names, spec);
    for (const name of all) options.set(name, option);
  }
  const longs = [...options.keys()].filter((name) => name.startsWith('--'));
  if (grammar.negations === true) {
    for (const long of longs.filter((name) => !name.startsWith('--no-'))) {
      const negated = `--no-${long.slice(2)}`;
      if (!options.has(negated)) options.set(negated, flag(negated));
    }
  }
  const compiled: Compiled = {
    grammar,
    style,
    abbreviations: grammar.abbreviations ?? (style === 'gnu' || style === 'posix'),
    options,
    longs: [...options.keys()].filter((name) => name.startsWith('--')),
    pairs: new Set([...options.keys()].filter((name) => /^-[^-].$/.test(name))),
    slots: grammar.operands === 'study' ? null : spellings(grammar.operands ?? '').map(toSlot),
    last: new Set(spellings(grammar.lastOptions ?? '')),
    about: new Set(spellings(`${HARMLESS} ${grammar.about ?? ''}`)),
    commands: new Map(Object.entries(grammar.commands ?? {}).flatMap(([names, sub]) => spellings(names).map((name) => [name, sub]))),
  };
  ready.set(grammar, compiled);
  return compiled;
}

function flag(name: string): Option {
  return { name, value: null, optional: false, rules: [] };
}

function toOption(name: string, spec: OptionSpec): Option {
  const [kind, ...rules] = typeof spec === 'string' ? [spec] : spec;
  if (kind === 'flag') return { name, value: null, optional: false, rules };
  return { name, value: bare(kind), optional: kind.endsWith('?'), rules };
}

function bare(kind: Exclude<Kind, 'flag'>): ValueKind {
  return (kind.endsWith('?') ? kind.slice(0, -1) : kind) as ValueKind; // the type of Kind says so
}

function toSlot(text: string): OperandSlot {
  const many = text.endsWith('*') ? '*' : text.endsWith('?') ? '?' : '';
  return { kind: (many === '' ? text : text.slice(0, -1)) as ValueKind, many }; // grammars are checked by their own spec
}

function spellings(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
