import { findings, pieces, spelled } from './hidden.js';

const kinds = (text: string): readonly string[] => pieces(text).map((piece) => (piece.kind === 'plain' ? piece.text : piece.kind));

describe('pieces', () => {
  it.each([
    ['plain words stay one piece', 'migrate', ['migrate']],
    ['space, tab and newline are drawn, not hidden', 'a b\tc\nd', ['a', 'space', 'b', 'tab', 'c', 'newline', 'd']],
    ['a right-to-left override is a box', 'inv\u202Egpj.sh', ['inv', 'hidden', 'gpj.sh']],
    ['a zero-width space is a box', 'a\u200Bb', ['a', 'hidden', 'b']],
    ['an escape and a bell are boxes', '\u001B]0;x\u0007', ['hidden', ']0;x', 'hidden']],
    ['a C1 control is a box', '\u009B31m', ['hidden', '31m']],
    ['a lone surrogate is a box', 'a\uD800b', ['a', 'hidden', 'b']],
    ['a paired surrogate is a letter', 'a😀b', ['a😀b']],
    ['tag characters are boxes', 'a\u{E0041}', ['a', 'hidden']],
    ['a no-break space is not a space', 'a\u00A0b', ['a', 'hidden', 'b']],
    ['a variation selector is a box', 'a\uFE0F', ['a', 'hidden']],
    ['Chinese stays as it is', '批准 docs', ['批准', 'space', 'docs']],
    ['a Cyrillic word beside Latin words stays as it is', 'docs/отчёт.txt', ['docs/отчёт.txt']],
  ])('%s', (_title, text, expected) => {
    expect(kinds(text)).toEqual(expected);
  });

  it('names the letter of another script inside a Latin word', () => {
    expect(pieces('p\u0430ypal')).toEqual([
      { kind: 'plain', text: 'p' },
      { kind: 'foreign', text: '\u0430', code: 'U+0430', script: 'Cyrillic' },
      { kind: 'plain', text: 'ypal' },
    ]);
  });

  it('joins a run of one hidden character into one box with a count', () => {
    expect(pieces('\u200B'.repeat(500))).toEqual([
      { kind: 'hidden', text: '\u200B'.repeat(500), code: 'U+200B', family: 'invisible', times: 500 },
    ]);
  });

  it('loses nothing: the pieces joined are the text', () => {
    for (const text of ['', 'a b', '\u202Eabc\u202C', '\uD800x\uDC00', 'p\u0430\u200B\u200B z\n\t', '\u{E0001}\u{E0020}']) {
      expect(
        pieces(text)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text);
    }
  });
});

describe('findings', () => {
  it('counts over all words and names what it found', () => {
    expect(findings(['a\u202Eb', '\u202Ec', 'd\u200B'])).toEqual([
      { code: 'U+202E', name: 'right-to-left override', times: 2 },
      { code: 'U+200B', name: 'zero-width space', times: 1 },
    ]);
  });

  it('is empty for ordinary text', () => {
    expect(findings(['git', 'commit', '-m', 'two words\nand a line'])).toEqual([]);
  });
});

describe('spelled', () => {
  it('spells what is hidden and keeps one line', () => {
    expect(spelled('a\u202Eb\nc')).toBe('a[U+202E]b c');
  });
});
