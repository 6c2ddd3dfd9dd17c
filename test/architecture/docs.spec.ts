import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, read, root } from '../support/tree.js';

const page = read('docs/architecture.md');

/** Cells of the rows of the table under a heading. */
function table(heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| '));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const coded = (cell: string | undefined): string[] => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? '');
const owners = table('Owners');

it('names every lib, and none that is not there', () => {
  const named = table('Planes').flatMap(([, lib]) => coded(lib));
  expect(named.sort()).toEqual(readdirSync(join(root, 'libs')).sort());
});

it('puts each lib on the level that the layer rules give it', async () => {
  const { default: rules } = (await import('../../.dependency-cruiser.mjs')) as {
    default: { forbidden: { name: string; comment: string }[] };
  };
  const level = new Map(table('Planes').map(([number, lib]) => [coded(lib)[0] ?? '', Number(number)]));
  for (const [lib, own] of level) {
    const allowed = rules.forbidden.find(({ name }) => name === `layer-${lib}`)?.comment.split(': ')[1] ?? '';
    const present = allowed.split(', ').filter((name) => level.has(name));
    expect(present.filter((name) => (level.get(name) ?? 0) >= own)).toEqual([]);
  }
});

it.each(owners)('%s: %s stands at %s', (_state, owner, where) => {
  const [name] = coded(owner);
  const [path] = coded(where);
  expect(existsSync(join(root, path ?? ''))).toBe(true);
  expect(read(path ?? '')).toContain(`export class ${name ?? ''} `);
});

it('gives every table exactly one owner', () => {
  const made = filesBelow('libs', (path) => path.endsWith('.migrations.ts')).flatMap((path) =>
    [...read(path).matchAll(/createTable\('(\w+)'\)/g)].map(([, name]) => name ?? ''),
  );
  const owned = owners.flatMap((row) => coded(row[4]));
  expect(owned.sort()).toEqual([...new Set(made)].sort());
});

it('names only paths that exist', () => {
  const paths = coded(page.replaceAll(/^```[^]*?^```/gm, '')).filter((text) => /^(apps|libs|test|docs|docker|scripts)\//.test(text));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

it('has a README in every lib, with the six headings', () => {
  const HEADINGS = ['Owns', 'Does not own', 'Invariants', 'Doors', 'Errors', 'Limits'];
  for (const lib of readdirSync(join(root, 'libs'))) {
    const text = existsSync(join(root, 'libs', lib, 'README.md')) ? read(`libs/${lib}/README.md`) : '';
    expect([lib, HEADINGS.filter((heading) => !text.includes(`\n## ${heading}\n`))]).toEqual([lib, []]);
  }
});

it('lists every command of the command line, and none that is not there', () => {
  const table = read('apps/api/src/cli.ts').split('COMMANDS')[1]?.split('\n};')[0] ?? '';
  const commands = [...table.matchAll(/^ {2}(\w+): \{$/gm)].map(([, name]) => name ?? '');
  const sentence = /`npx countersign` has (.*?)\. `npm/.exec(read('README.md'))?.[1] ?? '';
  const listed = new Set(coded(sentence).map((text) => text.split(' ')[0] ?? ''));
  expect(commands.length).toBeGreaterThan(5);
  expect([...listed].sort()).toEqual([...commands].sort());
});
