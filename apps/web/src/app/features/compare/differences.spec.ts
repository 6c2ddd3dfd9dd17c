import { differences } from './differences.js';

describe('differences', () => {
  it('says where two receipts differ, without what always differs', () => {
    const one = { receipt: { id: '1', exit_code: 0, policy: { argv: ['ls', '-a'] } }, evidence: { id: '1', requester: { name: 'bot' } } };
    const two = {
      receipt: { id: '2', exit_code: 1, policy: { argv: ['ls', '-a'] } },
      evidence: { id: '2', requester: { name: 'bot' }, limit_hit: 'time' },
    };
    expect(differences(one, two)).toEqual([
      { field: '/receipt/exit_code', one: '0', two: '1' },
      { field: '/evidence/limit_hit', one: undefined, two: 'time' },
    ]);
    expect(differences(one, one)).toEqual([]);
  });
});
