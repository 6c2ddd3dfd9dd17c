import { displayFault, lineFault, shown } from './display.js';

describe('what a person sees', () => {
  it.each([
    ['src/\u202egnp.exe', 'display.hidden'],
    ['sr\u200bc', 'display.hidden'],
    ['hi\u{e0061}', 'display.hidden'],
    ['\u001b[31m', 'display.hidden'],
    ['a\u0000b', 'display.hidden'],
    ['a\rb', 'display.hidden'],
    ['\u0085', 'display.hidden'],
    ['a\u00adb', 'display.hidden'],
    ['a\ufe0f', 'display.hidden'],
    ['a\u2066b', 'display.hidden'],
    ['\u3164', 'display.hidden'],
    ['\ud800', 'display.surrogate'],
    ['a\nb', 'display.line-break'],
    ['--n\u043eption', 'display.look-alike'],
    ['-\u0441', 'display.look-alike'],
    ['\u2014rf', 'display.look-alike'],
    ['\u2212r', 'display.look-alike'],
    ['a\u00a0b', 'display.blank'],
    ['a\u2800b', 'display.blank'],
    ['a\u3000-rf', 'display.blank'],
    ['p\u0430ssword.txt', 'display.mixed'],
    ['--file=p\u0430ss', 'display.mixed'],
  ])('%j is refused', (word, rule) => {
    expect(displayFault(word, 'word')).toBe(rule);
  });

  it.each(['café.txt', '日本語.md', 'Ünïcode', 'tab\there', '--message=Привет', '-mПривет', 'смешанный-mixed.txt', '🎉'])(
    '%j passes',
    (word) => {
      expect(displayFault(word, 'word')).toBeNull();
    },
  );

  it.each([' ls', 'ls ', '\u0441at', 'ls\u00a0-la', 'г', 'ｌｓ'])('%j is no name of a tool', (word) => {
    expect(displayFault(word, 'executable')).toBe('display.look-alike');
  });

  it('lets a message have lines and pictures, and nothing hidden', () => {
    expect(displayFault('one\n\ntwo', 'message')).toBeNull();
    expect(displayFault('done ✔️ by 👩‍💻', 'message')).toBeNull();
    expect(displayFault('one\u200btwo', 'message')).toBe('display.hidden');
    expect(displayFault('a\ufe0fb', 'message')).toBe('display.hidden');
    expect(lineFault('git commit -m "done ✔️\nmore"')).toBeNull();
    expect(lineFault('ls\u0007')).toBe('display.hidden');
  });

  it('shows escapes and bounds the length', () => {
    expect(shown('a\u202eb\n\u0007')).toBe('a\\u{202e}b\\n\\u{7}');
    expect(shown('x'.repeat(100))).toHaveLength(80);
  });
});
