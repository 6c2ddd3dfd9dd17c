import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './tree.js';

export type Verdict = 'allow' | 'deny' | 'killed' | 'truncated' | 'redacted';

interface LifecycleCase {
  readonly id: string;
  readonly why: string;
  readonly expected: Verdict;
}

const { cases } = JSON.parse(readFileSync(join(root, 'test/policy/lifecycle-cases.json'), 'utf8')) as {
  readonly cases: readonly LifecycleCase[];
};

/** The test of one case. It drives the case through the product and answers with what came of it; the file says what that must be. */
export function lifecycle(id: string, drive: () => Promise<Verdict>): void {
  const found = cases.find((each) => each.id === id);
  if (!found) throw new Error(`No such case: ${id}`);
  it(`${id}: ${found.why}: ${found.expected}`, async () => expect(await drive()).toBe(found.expected));
}
