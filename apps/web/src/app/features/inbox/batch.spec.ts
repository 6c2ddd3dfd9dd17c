import type { Ask, Plan, Principal } from '#contracts';
import { ApiError } from '../../core/api.js';
import { leftOut, voteEach } from './batch.js';

// Partial rows: the rule reads only the fields that stand here.
const ask = {
  id: '1',
  kind: 'plan_approval',
  status: 'open',
  risk: 'low',
  votes: [],
  requester: 'bot',
  requesterPersonId: null,
  notRequester: false,
} as unknown as Ask;
const me = { id: 'eve', kind: 'person', scopes: ['approvals:decide'] } as unknown as Principal;
const planOf = (effects: readonly string[], understood = true) => ({ decision: { stages: [{ effects, understood }] } }) as unknown as Plan;

const taken = new ApiError('ASK_ALREADY_RESOLVED', '', {}, null);

describe('a batch', () => {
  it.each([
    ['takes low and medium risk', { risk: 'medium' }, undefined, undefined],
    ['leaves out high risk', { risk: 'high' }, undefined, 'batch_high'],
    ['leaves out inline code of any risk', {}, planOf(['execute_inline']), 'batch_high'],
    ['leaves out what was not understood', {}, planOf(['read'], false), 'batch_high'],
    ['leaves out what is decided', { status: 'approved' }, undefined, 'batch_decided'],
    ['leaves out what others must decide', { requester: 'eve', notRequester: true }, undefined, 'batch_not_yours'],
    ['leaves out other kinds', { kind: 'host_question' }, undefined, 'batch_kind'],
  ] as unknown as readonly (readonly [string, Partial<Ask>, Plan | undefined, string | undefined])[])('%s', (_title, change, plan, why) => {
    expect(leftOut({ ...ask, ...change }, me, plan)).toBe(why);
  });

  it('votes one after the other and goes on after a refusal', async () => {
    const told: string[] = [];
    const asks = ['1', '2', '3'].map((id) => ({ ...ask, id }) as Ask);
    await voteEach(
      asks,
      (one) => Promise.resolve(one.id === asks[1]?.id ? { kind: 'failed', failure: taken } : { kind: 'sent' }),
      (id, result) => told.push(`${id} ${result.kind}`),
    );
    expect(told).toEqual(['1 sending', '1 sent', '2 sending', '2 failed', '3 sending', '3 sent']);
  });
});
