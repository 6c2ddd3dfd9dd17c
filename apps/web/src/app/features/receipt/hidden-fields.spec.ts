import { hiddenFields } from './hidden-fields.js';

describe('hiddenFields', () => {
  it('tells what a share-safe copy hides and what it shows', () => {
    const file = {
      receipt: { command: '[REDACTED FOR SHARING]', policy: { argv: ['[REDACTED FOR SHARING]'], risk: 'low' }, exit_code: 0 },
      evidence: { approvals: [{ name: 'ann' }] },
      proof: { secret: 'not looked at' },
    };
    const whole = { receipt: file.receipt, evidence: { ...file.evidence, pins: { cwd: '/srv' } } };
    expect(hiddenFields(file, whole)).toEqual({
      hidden: ['/receipt/command', '/receipt/policy/argv', '/evidence/pins'],
      shown: [
        { field: '/receipt/policy/risk', value: 'low' },
        { field: '/receipt/exit_code', value: '0' },
        { field: '/evidence/approvals/0/name', value: 'ann' },
      ],
    });
  });
});
