const HEX = /^[0-9a-f]{64}$/;

/** The root that a checkpoint note signs: its third line, in hex. Null when it is not such a note. */
export function rootOf(note: string | null): string | null {
  try {
    const bytes = atob(note?.split('\n')[2] ?? '');
    return bytes.length === 32 ? [...bytes].map((unit) => unit.charCodeAt(0).toString(16).padStart(2, '0')).join('') : null;
  } catch {
    return null;
  }
}

/** The node above a leaf and its first sibling (RFC 9162: SHA-256 over 0x01, left, right). */
export async function parentOf(leaf: string, sibling: string, isRight: boolean): Promise<string | null> {
  if (!HEX.test(leaf) || !HEX.test(sibling) || !isSecureContext) return null;
  const [left, right] = isRight ? [sibling, leaf] : [leaf, sibling];
  const digits = `01${left}${right}`.match(/../g) ?? [];
  const bytes = Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
