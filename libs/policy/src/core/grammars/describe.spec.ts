import { readFileSync, writeFileSync } from 'node:fs';
import { describeTools } from './describe.js';

const page = new URL('../../../../../docs/policy-tools.md', import.meta.url);

it('docs/policy-tools.md is what the grammars say; UPDATE_DOCS=1 writes it again', () => {
  const text = describeTools();
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(page, text);
  expect(readFileSync(page, 'utf8')).toBe(text);
});
