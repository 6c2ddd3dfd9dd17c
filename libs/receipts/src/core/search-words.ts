const GRAM = 3;

/** What is typed into a search, as it is looked for: all words must occur, each anywhere. */
export function searchWords(q: string): readonly string[] {
  return q.replaceAll('\0', '').toLowerCase().split(/\s+/).filter(Boolean);
}

/** All runs of three letters, each once. A text holds a word only where it holds all of the word's runs. */
export function gramsOf(text: string): readonly string[] {
  const letters = Array.from(text);
  const grams = new Set<string>();
  for (let at = 0; at + GRAM <= letters.length; at += 1) grams.add(letters.slice(at, at + GRAM).join(''));
  return [...grams];
}

/** For `like … escape '\'`. */
export function likePattern(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}
