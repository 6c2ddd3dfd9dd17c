import { checkPassword } from './password-rules.js';

describe('passwords', () => {
  it.each([
    ['eleven characters', 'abcdefghijk', 'refused'],
    ['twelve characters', 'abcdefghijkl', 'taken'],
    ['twelve times the same', 'aaaaaaaaaaaa', 'refused'],
    ['the name', 'Ada Lovelace', 'refused'],
    ['a sentence', 'nine green bottles', 'taken'],
    ['256 characters', 'abcde'.repeat(51) + 'f', 'taken'],
    ['257 characters', 'abcde'.repeat(51) + 'fg', 'refused'],
    ['spaces at the ends', '  padded words  ', 'taken'],
  ])('%s: %s', (_case, typed, expected) => {
    expect(checkPassword(typed, 'ada lovelace').ok ? 'taken' : 'refused').toBe(expected);
  });

  it('never repeats the password in its refusal', () => {
    expect(JSON.stringify(checkPassword('hunter2', 'ada'))).not.toContain('hunter2');
  });

  it('takes the same password from another keyboard as the same', () => {
    expect(checkPassword('cafe\u0301 au lait!', 'x')).toEqual(checkPassword('caf\u00e9 au lait!', 'x'));
  });
});
