/** Two names with one key are one name to people: letter case, compatibility forms and blanks do not tell them apart. */
export function nameKey(name: string): string {
  return name.normalize('NFKC').trim().replaceAll(/\s+/gu, ' ').toLowerCase();
}
