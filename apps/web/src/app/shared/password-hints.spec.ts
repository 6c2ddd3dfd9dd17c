import { passwordHints, passwordStrength } from './password-hints.js';

describe('password hints', () => {
  it('asks for what the server asks for', () => {
    const met = (password: string, name = 'ann'): readonly boolean[] => passwordHints(password, name).map((hint) => hint.isMet);
    expect(met('')).toEqual([false, false, false]);
    expect(met('aaaaaaaaaaaa')).toEqual([true, false, true]);
    expect(met('elevenchars')).toEqual([false, true, true]);
    expect(met('Ann-the-Great', 'ann-the-great')).toEqual([true, true, false]);
  });

  it('calls only an accepted password strong', () => {
    expect(passwordStrength('short', 'ann')).toBe(0);
    expect(passwordStrength('abcdeabcdeab', 'ann')).toBe(1);
    expect(passwordStrength('four plain words here', 'ann')).toBe(3);
  });
});
