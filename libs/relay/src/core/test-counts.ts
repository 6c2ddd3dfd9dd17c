export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly total: number;
}

/** The summary lines of the runners that people use. Each names its own words for passed, failed and skipped. */
const SUMMARIES: readonly RegExp[] = [
  /^Tests:\s+.*$/mu, // jest
  /^\s*Tests\s+\d+ .*\(\d+\)\s*$/mu, // vitest
  /^=*\s*(?:\d+ (?:passed|failed|skipped|error|errors|deselected|xfailed|xpassed|warnings?),?\s*)+in [\d.]+s.*$/mu, // pytest
  /^test result: .*$/mu, // cargo
];
const NODE_TEST = { passed: /^[#ℹ] pass (\d+)$/mu, failed: /^[#ℹ] fail (\d+)$/mu, skipped: /^[#ℹ] skipped (\d+)$/mu };
const MOCHA = { passed: /^\s*(\d+) passing\b/mu, failed: /^\s*(\d+) failing\b/mu, skipped: /^\s*(\d+) pending\b/mu };

/** Counts that the output itself states; undefined where it states none. Nothing is guessed. */
export function testCounts(output: string): TestCounts | undefined {
  const line = SUMMARIES.map((pattern) => pattern.exec(output)?.[0]).find((found) => found !== undefined);
  if (line !== undefined)
    return counts(numberBefore(line, 'passed'), numberBefore(line, 'failed'), numberBefore(line, '(?:skipped|ignored|todo)'));
  for (const words of [NODE_TEST, MOCHA]) {
    if (words.passed.test(output)) return counts(first(output, words.passed), first(output, words.failed), first(output, words.skipped));
  }
  return undefined;
}

function counts(passed: number, failed: number, skipped: number): TestCounts {
  return { passed, failed, skipped, total: passed + failed + skipped };
}

function numberBefore(line: string, word: string): number {
  return Number(new RegExp(String.raw`(\d+) ${word}\b`, 'u').exec(line)?.[1] ?? 0);
}

function first(output: string, pattern: RegExp): number {
  return Number(pattern.exec(output)?.[1] ?? 0);
}
