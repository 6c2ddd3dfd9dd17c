import { readFileSync } from 'node:fs';
import { checkExamples, readDocument } from '#policy/core';

it('the worked example of the documentation can be saved, and its examples hold', () => {
  const page = readFileSync(new URL('../../docs/policy-documents.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const read = readDocument(yaml);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  expect(read.warnings).toEqual([]);
  const { results, issues } = checkExamples(read.document, read.place);
  expect(issues).toEqual([]);
  expect(results.length).toBeGreaterThan(10);
});
