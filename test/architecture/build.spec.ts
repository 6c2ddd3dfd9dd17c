import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readdirSync } from 'node:fs';
import { filesBelow, root } from '../support/tree.js';

const built = join(root, 'dist', 'server');

function builtModules(): string[] {
  return readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.js'))
    .sort();
}

it('holds exactly one artefact per source module, so that a deleted module cannot ship', () => {
  expect(existsSync(built)).toBe(true);
  const isSource = (path: string): boolean => /\/src\/.*\.ts$/.test(path) && !/\.(spec|e2e|contract)\.ts$/.test(path);
  const sources = [...filesBelow('apps/api', isSource), ...filesBelow('libs', isSource)];
  expect(builtModules()).toEqual(sources.map((path) => path.replace(/\.ts$/, '.js')).sort());
});

it('ships no test', () => {
  expect(builtModules().filter((path) => /\.(spec|e2e|contract)\.js$/.test(path))).toEqual([]);
});
