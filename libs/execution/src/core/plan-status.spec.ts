import fc from 'fast-check';
import { PLAN_STATUSES } from '#contracts';
import { aPlan } from '../../../../test/support/plans.js';
import { deadline, firstStatus, isFinal, move, sourcesOf } from './plan-status.js';

describe('move', () => {
  it.each([
    ['approved', 'running', 'running'],
    ['awaiting_approval', 'approved', 'approved'],
    ['awaiting_approval', 'cancelled', 'cancelled'],
    ['approved', 'stale', 'stale'],
    ['unknown', 'succeeded', 'succeeded'],
    ['awaiting_approval', 'running', 'PLAN_NOT_APPROVED'],
    ['blocked', 'running', 'PLAN_BLOCKED'],
    ['rejected', 'running', 'PLAN_REJECTED'],
    ['expired', 'running', 'PLAN_EXPIRED'],
    ['stale', 'running', 'PLAN_STALE'],
    ['running', 'running', 'PLAN_ALREADY_RUNNING'],
    ['succeeded', 'running', 'PLAN_ALREADY_RUN'],
    ['failed', 'running', 'PLAN_ALREADY_RUN'],
    ['timed_out', 'running', 'PLAN_ALREADY_RUN'],
    ['interrupted', 'running', 'PLAN_ALREADY_RUN'],
    ['cancelled', 'running', 'PLAN_STATUS_CONFLICT'],
    ['rejected', 'approved', 'PLAN_STATUS_CONFLICT'],
    ['running', 'cancelled', 'cancelled'],
  ] as const)('%s → %s gives %s', (status, to, expected) => {
    const result = move(aPlan({ status }), to, 0);
    expect(result.ok ? result.value.status : result.code).toBe(expected);
  });

  it('tells a plan that was cancelled while it ran from one that never ran', () => {
    expect(move(aPlan({ status: 'cancelled', runId: 'r' as never }), 'running', 0)).toMatchObject({ code: 'PLAN_ALREADY_RUN' });
  });

  it.each(['awaiting_approval', 'approved'] as const)('refuses what comes after the time of a plan that is %s', (status) => {
    const plan = aPlan({ status, expiresAt: 10 });
    expect(move(plan, status === 'approved' ? 'running' : 'approved', 10)).toMatchObject({ code: 'PLAN_EXPIRED' });
    expect(move(plan, 'expired', 10)).toMatchObject({ value: { status: 'expired' } });
  });

  it('gives an approved plan a quarter of an hour from then on', () => {
    expect(move(aPlan({ status: 'awaiting_approval', expiresAt: 9_000 }), 'approved', 5_000)).toMatchObject({
      value: { expiresAt: 905_000 },
    });
  });

  it('never starts a plan twice, whatever is tried in whatever order', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PLAN_STATUSES), fc.array(fc.constantFrom(...PLAN_STATUSES), { maxLength: 40 }), (first, tries) => {
        let plan = aPlan({ status: first });
        let starts = 0;
        for (const to of tries) {
          const result = move(plan, to, 0);
          if (!result.ok) continue;
          plan = result.value;
          if (to === 'running') starts += 1;
        }
        expect(starts).toBeLessThanOrEqual(1);
      }),
      { numRuns: 3_000 },
    );
  });

  it('never leads to a run without passing through approved', () => {
    expect(sourcesOf('running')).toEqual(['approved']);
    expect(sourcesOf('approved')).toEqual(['planned', 'awaiting_approval']);
  });
});

it.each([
  ['allow', 'approved'],
  ['ask', 'awaiting_approval'],
  ['deny', 'blocked'],
] as const)('a decision to %s begins as %s', (outcome, status) => {
  expect(firstStatus({ outcome })).toBe(status);
});

it('lets a plan wait a day for a person and a quarter of an hour to be run', () => {
  expect([deadline('awaiting_approval', 0), deadline('approved', 0), deadline('blocked', 7)]).toEqual([86_400_000, 900_000, 7]);
});

it('knows exactly the ends of a run', () => {
  expect(PLAN_STATUSES.filter(isFinal)).toEqual(['succeeded', 'failed', 'cancelled', 'timed_out', 'interrupted', 'unknown']);
});
