/** What a page of the provider came to, as far as this window can tell. */
export type SignInEnd = 'connected' | 'blocked' | 'late' | 'closed';

const EVERY_MS = 1_750;
const AT_MOST_MS = 180_000;

/**
 * Opens a window before the address is known, since browsers only allow that within the click; follows the one provider until its
 * accounts are others than before. A closed window is looked behind once more.
 */
export async function signInElsewhere(addressOf: () => Promise<string>, markOf: () => Promise<string>): Promise<SignInEnd> {
  const opened = window.open('about:blank', '_blank', 'popup,width=720,height=820');
  if (!opened) return 'blocked';
  opened.opener = null;
  try {
    const before = await markOf();
    opened.location.href = await addressOf();
    const startedAt = Date.now();
    while (Date.now() - startedAt < AT_MOST_MS) {
      const wasClosed = opened.closed;
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      if ((await markOf()) !== before) return 'connected';
      if (wasClosed) return 'closed';
    }
    return 'late';
  } finally {
    opened.close();
  }
}
