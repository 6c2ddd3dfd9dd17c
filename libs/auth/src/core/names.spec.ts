import { readName } from './names.js';

const read = (typed: string) => {
  const result = readName(typed);
  return result.ok ? result.value : result.code;
};

describe('names', () => {
  it('keeps what people see and compares without case and form', () => {
    expect(read('  Ada   Lovelace ')).toEqual({ name: 'Ada Lovelace', key: 'ada lovelace' });
    expect(read('ＡＤＡ')).toMatchObject({ key: 'ada' });
    expect(read('é')).toEqual(read('é'));
    expect(read('李雷')).toEqual({ name: '李雷', key: '李雷' });
  });

  it.each([
    ['empty', '   '],
    ['too long', 'x'.repeat(65)],
    ['turned around', 'Ada‮adA'],
    ['of zero width', 'A​da'],
    ['with an escape', 'Ada\u001b[31m'],
    ['with a null', 'Ada\0'],
  ])('refuses a name that is %s', (_case, typed) => {
    expect(read(typed)).toBe('INPUT_INVALID');
  });

  it('counts characters, not code units', () => {
    expect(read('𝒳'.repeat(64))).toMatchObject({ name: '𝒳'.repeat(64) });
  });
});
