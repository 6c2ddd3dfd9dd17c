import { PROMISES as promises } from '../e2e/promises.js';
import { filesBelow, read } from '../support/tree.js';

const isTest = (path: string): boolean => /\.(spec|e2e)\.ts$|\.web\.mjs$/.test(path);
const testFiles = ['apps', 'libs', 'test']
  .flatMap((folder) => filesBelow(folder, isTest))
  .filter((path) => path !== 'test/architecture/tests.spec.ts');

it('no test is skipped or focused', () => {
  const silenced = /\b(?:it|test|describe)\.(?:skip|only|todo|failing)\b|\b(?:xit|xdescribe|fit|fdescribe)\(/;
  expect(testFiles.filter((path) => silenced.test(read(path)))).toEqual([]);
});

it('every promise has a test that names it, and every named promise is listed', () => {
  const named = new Set(testFiles.flatMap((path) => [...read(path).matchAll(/verifies\(\s*'([^']+)'/g)].map(([, id]) => id)));
  expect([...named].sort()).toEqual(Object.keys(promises).sort());
});

it('every lifecycle case has exactly one test', () => {
  const { cases } = JSON.parse(read('test/policy/lifecycle-cases.json')) as { cases: { id: string }[] };
  const driven = testFiles.flatMap((path) => [...read(path).matchAll(/lifecycle\(\s*'([^']+)'/g)].map(([, id]) => id));
  expect(driven.sort()).toEqual(cases.map(({ id }) => id).sort());
});

it('every field report of policy and of processes has a test of that name', () => {
  const { sections, tests } = JSON.parse(read('test/e2e/field-reports.json')) as {
    sections: Record<string, string[]>;
    tests: Record<string, { file: string; title: string }[]>;
  };
  expect(Object.keys(tests)).toEqual(Object.values(sections).flat());
  const named = Object.entries(tests).flatMap(([report, all]) =>
    all.map(({ file, title }) => ({ report, title, found: read(file).includes(title) })),
  );
  expect(named.filter(({ found }) => !found)).toEqual([]);
  expect(Object.keys(tests).filter((report) => !named.some((each) => each.report === report))).toEqual([]);
});

it('every invariant of the design has a promise', () => {
  const covered = new Set(Object.keys(promises).flatMap((id) => /^invariant:(\d+)$/.exec(id)?.[1] ?? []));
  const BUILT = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12', '13', '14', '16'];
  expect(BUILT.filter((number) => !covered.has(number))).toEqual([]);
});
