import { formatPhc, isCheaper, parsePhc } from './phc.js';

const stored = { memory: 32_768, passes: 2, lanes: 1, salt: Buffer.alloc(16, 1), tag: Buffer.alloc(32, 2) };

describe('stored password hashes', () => {
  it('go through text unchanged', () => {
    const text = formatPhc(stored);
    expect(text).toBe('$argon2id$v=19$m=32768,t=2,p=1$AQEBAQEBAQEBAQEBAQEBAQ$AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI');
    expect(parsePhc(text)).toEqual(stored);
  });

  it.each([
    ['nothing', ''],
    ['another algorithm', '$argon2i$v=19$m=32768,t=2,p=1$AQEBAQEBAQEBAQEBAQEBAQ$AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI'],
    ['more memory than a row may ask for', formatPhc({ ...stored, memory: 4_194_304 })],
    ['no pass', formatPhc({ ...stored, passes: 0 })],
  ])('cannot be read from %s', (_case, text) => {
    expect(parsePhc(text)).toBeUndefined();
  });

  it('are made anew when today asks for more', () => {
    expect(isCheaper({ ...stored, memory: 19_456 }, stored)).toBe(true);
    expect(isCheaper({ ...stored, passes: 1 }, stored)).toBe(true);
    expect(isCheaper(stored, stored)).toBe(false);
  });
});
