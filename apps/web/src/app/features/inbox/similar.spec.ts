import type { Plan } from '#contracts';
import { similarTo } from './similar.js';

// Partial rows: the count reads only the fields that stand here.
const plan = (id: string, status: string, createdAt: number, tool = 'npm', askId: string | null = 'a') =>
  ({ id, status, createdAt, askId, workspaceId: 'w', decision: { stages: [{ tool, subcommand: 'run' }] } }) as unknown as Plan;

describe('similar decisions', () => {
  it('counts what people decided about the same family here, and names the latest of each', () => {
    const now = plan('now', 'awaiting_approval', 9);
    const similar = similarTo(now, [
      now,
      plan('old', 'succeeded', 1),
      plan('later', 'failed', 5),
      plan('no', 'rejected', 3),
      plan('other tool', 'succeeded', 4, 'git'),
      plan('nobody asked', 'succeeded', 4, 'npm', null),
      plan('nobody answered', 'expired', 6),
    ]);
    expect([similar.approved, similar.rejected, similar.lastApproved?.id, similar.lastRejected?.id]).toEqual([2, 1, 'later', 'no']);
  });

  it('says nothing where nothing was decided', () => {
    expect(similarTo(plan('now', 'awaiting_approval', 9), [])).toEqual({
      approved: 0,
      rejected: 0,
      lastApproved: undefined,
      lastRejected: undefined,
    });
  });
});
