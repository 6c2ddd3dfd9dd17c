import { jest } from '@jest/globals';
import { runChaos } from '../chaos/harness.mjs';
import { databases } from '../support/engines.js';
import { verifies } from '../support/verifies.js';

jest.setTimeout(420_000);

/** A small count; `npm run chaos` does hundreds. */
const FLOWS = 24;
const SEED = 20_261_130;

describe.each(databases)('kills at random moments on %s', (engine, open) => {
  verifies('crash:nothing-lost-nothing-twice', engine, async () => {
    const { env, remove } = await open();
    try {
      const report = await runChaos({ engine, databaseUrl: env['DATABASE_URL'], flows: FLOWS, seed: SEED });
      expect(report.wrong).toEqual([]);
      expect(report.flows).toBe(FLOWS);
      // Without any of these the test has shown nothing.
      expect(report.acknowledged).toBeGreaterThan(0);
      expect(Object.values(report.faults).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(3);
    } finally {
      await remove();
    }
  });
});
