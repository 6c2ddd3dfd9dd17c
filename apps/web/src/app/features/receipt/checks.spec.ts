import type { ReceiptCheck } from '#contracts';
import { firstBroken, verdictOf } from './checks.js';

const check = (name: string, ok: boolean | null): ReceiptCheck => ({ name, ok, detail: '' });
const binding = ['schema', 'key', 'signature', 'statement', 'leaf', 'inclusion'].map((name) => check(name, true));

describe('the verdict of a verification', () => {
  it('is verified when all that binds was checked, even where the HMAC key is missing', () => {
    expect(verdictOf([...binding, check('hmac', null)])).toBe('verified');
  });

  it('is broken when one check failed, whatever the others say', () => {
    const checks = [...binding, check('inclusion', false)];
    expect([verdictOf(checks), firstBroken(checks)?.name]).toEqual(['broken', 'inclusion']);
  });

  it('is not proved when this browser could not check the signature', () => {
    expect(verdictOf(binding.map((one) => (one.name === 'signature' ? check('signature', null) : one)))).toBe('unproved');
  });

  it('is not proved when nothing shows its place in the ledger', () => {
    expect(verdictOf(binding.map((one) => (one.name === 'inclusion' ? check('inclusion', null) : one)))).toBe('unproved');
  });

  it('is not proved without any check', () => {
    expect(verdictOf([])).toBe('unproved');
  });
});
