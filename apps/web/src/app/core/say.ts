import { Service, computed, inject } from '@angular/core';
import { Settings } from './settings.js';
import { spelled } from './text/hidden.js';
import { WORDS } from './words.js';
import type { WordKey } from './words.js';

export type WordValues = Readonly<Record<string, string | number>>;

const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** The console's words in the chosen language. Values from outside are spelled and isolated before they stand in a sentence. */
@Service()
export class Words {
  readonly #settings = inject(Settings);
  readonly lang = computed(() => this.#settings.lang());

  readonly say = (key: WordKey, values: WordValues = {}): string => filled(WORDS[key][this.lang()], values);

  /** The same for a count: English has a form for one. */
  readonly many = (key: WordKey, count: number, values: WordValues = {}): string => {
    const row: { readonly en: string; readonly zh: string; readonly one?: string } = WORDS[key];
    const text = this.lang() === 'en' && count === 1 ? (row.one ?? row.en) : row[this.lang()];
    return filled(text, { n: count, ...values });
  };
}

export function filled(text: string, values: WordValues): string {
  return text.replaceAll(/\{(\w+)\}/g, (hole, name: string) => {
    const value = values[name];
    if (value === undefined) return hole;
    return typeof value === 'number' ? String(value) : inSentence(value);
  });
}

function inSentence(value: string): string {
  const text = spelled(value);
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
