import { filled } from './say.js';
import { WORDS } from './words.js';
import type { WordKey } from './words.js';

const holes = (text: string): readonly string[] => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '').sort();

describe('the words', () => {
  it.each(Object.keys(WORDS) as WordKey[])('%s names the same things in both languages', (key) => {
    const row: { readonly en: string; readonly zh: string; readonly one?: string } = WORDS[key];
    expect(row.en).not.toBe('');
    expect(row.zh).not.toBe('');
    if (row.one !== undefined) expect(holes(row.one)).toEqual(holes(row.en));
    expect(holes(row.zh)).toEqual(holes(row.en));
  });

  it('spells what is hidden in a value and isolates what runs the other way', () => {
    expect(filled('Denied by {who}', { who: 'a\u202Eb' })).toBe('Denied by a[U+202E]b');
    expect(filled('Denied by {who}', { who: 'שלום' })).toBe('Denied by \u2068שלום\u2069');
    expect(filled('{n} of {all}', { n: 1 })).toBe('1 of {all}');
  });
});
