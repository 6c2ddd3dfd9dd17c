import type { Grammar } from '../grammar/tool.js';
import { compile } from '../grammar/compile.js';
import { FAMILIES, grammarOf } from './index.js';

const KINDS = new Set('list read write side delete move execute folder text message code program names module suffix url host'.split(' '));

function all(grammar: Grammar, name: string): readonly (readonly [string, Grammar])[] {
  const below = Object.entries(grammar.commands ?? {}).flatMap(([names, sub]) => all(sub, `${name} ${names.split(' ', 1)[0] ?? ''}`));
  return [[name, grammar], ...below, ...(grammar.otherwise ? all(grammar.otherwise, `${name} *`) : [])];
}

const tools = Object.values(FAMILIES).flatMap((family) => Object.entries(family));
const grammars = tools.flatMap(([names, grammar]) => all(grammar, names.trim().split(/\s+/, 1)[0] ?? ''));

describe('the grammars', () => {
  it('give each name to one tool', () => {
    const names = tools.flatMap(([list]) => list.split(/\s+/).filter((name) => name !== ''));
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.length).toBeGreaterThan(800);
  });

  it('speak only of kinds and options that the interpreter knows', () => {
    for (const [name, grammar] of grammars) {
      const compiled = compile(grammar);
      for (const [spelling, { value }] of compiled.options) {
        if (value !== null) expect([name, spelling, KINDS.has(value)]).toEqual([name, spelling, true]);
      }
      for (const { kind } of compiled.slots ?? []) expect([name, kind, KINDS.has(kind)]).toEqual([name, kind, true]);
      for (const list of Object.keys(grammar.options ?? {})) expect(list).toMatch(/^(-\S+)( -\S+)*$/);
      if (grammar.operands === 'study') expect([name, typeof grammar.study]).toEqual([name, 'function']);
    }
  });

  it('know the tools that people work with', () => {
    const wanted = `git npm pnpm yarn npx node python python3 pip uv tsc eslint prettier jest vitest pytest cargo go make docker kubectl find grep rg sed awk
      jq yq tar zip unzip gzip diff patch curl wget ssh scp rsync xargs env timeout nice nohup tee dd ps kill which file tree ls cat cp mv rm`;
    expect(wanted.split(/\s+/).filter((name) => !grammarOf(name))).toEqual([]);
  });

  it('see through versions in names and folded case of what is never allowed', () => {
    expect(grammarOf('python3.12')).toBe(grammarOf('python3'));
    expect(grammarOf('SUDO')).toBe(grammarOf('sudo'));
    expect(grammarOf('LS')).toBeUndefined();
  });
});
