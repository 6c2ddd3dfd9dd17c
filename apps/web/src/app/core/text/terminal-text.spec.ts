import { TerminalText, withoutColour } from './terminal-text.js';

const clean = (...chunks: readonly string[]): string => {
  const text = new TerminalText();
  return chunks.map((chunk) => text.push(chunk)).join('');
};

describe('TerminalText', () => {
  it.each([
    ['plain text and lines pass', 'a\r\nb\tc', 'a\r\nb\tc'],
    ['colour passes', '\u001B[31;1mred\u001B[0m', '\u001B[31;1mred\u001B[0m'],
    ['256 and true colour pass', '\u001B[38;5;8mx\u001B[48;2;8;8;8my', '\u001B[38;5;8mx\u001B[48;2;8;8;8my'],
    ['conceal does not pass', '\u001B[31;8mhidden', '\u001B[31mhidden'],
    ['cursor moves and clears go', 'a\u001B[2J\u001B[1;1Hb', 'ab'],
    ['a private mode goes', '\u001B[?1049hx', 'x'],
    ['a title (OSC 0) goes', '\u001B]0;owned\u0007x', 'x'],
    ['a link (OSC 8) leaves its text', '\u001B]8;;http://evil.test\u001B\\here\u001B]8;;\u001B\\', 'here'],
    ['a clipboard write (OSC 52) goes', '\u001B]52;c;cm0gLXJmIH4=\u0007x', 'x'],
    ['a device control string goes', '\u001BP1$r0m\u001B\\x', 'x'],
    ['eight-bit forms go too', '\u009B2Jx\u009D52;c;QQ==\u009Cy', 'xy'],
    ['a bell and a backspace go', 'rm\u0008\u0008ls\u0007', 'rmls'],
    ['an unended string hides nothing after a cancel', '\u001B]0;abc\u0018rest', 'rest'],
    ['an unended string hides its line only', '\u001B]0;abc\nrest', '\nrest'],
    ['direction controls are spelled', 'a\u202Eb', 'a⟨U+202E⟩b'],
    ['a lone surrogate becomes the replacement mark', 'a\uD800b', 'a\uFFFDb'],
    ['emoji stay', 'ok 👍🏽', 'ok 👍🏽'],
    ['a charset switch goes', '\u001B(0qqq', 'qqq'],
  ])('%s', (_title, input, expected) => {
    expect(clean(input)).toBe(expected);
  });

  it('gives the same text however the chunks are cut', () => {
    const input = 'a\u001B[31mred\u001B]8;;http://x.test\u0007link\u001B]8;;\u0007\u001B[2K\u202Eend\u001B[0m\n';
    const whole = clean(input);
    for (let cut = 1; cut < input.length; cut += 1) expect(clean(input.slice(0, cut), input.slice(cut))).toBe(whole);
    expect(clean(...input)).toBe(whole);
  });

  it('counts what it took out', () => {
    const text = new TerminalText();
    text.push('a\u001B[2J\u001B]0;t\u0007\u0007\u001B[1mb');
    expect(text.removed).toBe(3);
  });

  it('does not grow with an endless sequence', () => {
    const text = new TerminalText();
    expect(text.push(`\u001B[${'1;'.repeat(100_000)}`)).toBe('');
    expect(text.push('mok')).toBe('ok');
  });
});

describe('withoutColour', () => {
  it('leaves the letters', () => {
    expect(withoutColour('\u001B[31mred\u001B[0m text')).toBe('red text');
  });
});
