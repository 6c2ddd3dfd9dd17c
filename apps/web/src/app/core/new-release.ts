import type { NavigationError } from '@angular/router';

const KEY = 'countersign.reloaded';
const ONCE_WITHIN_MS = 30_000;
const MISSING_PART = /dynamically imported module|module script failed|error loading dynamically/i;

/**
 * A part of the page that cannot be loaded any more means that the server has a newer release: the address is opened
 * anew, once. Any other failed move is left to the router.
 */
export function reloadForNewRelease({ error, url }: NavigationError): void {
  if (!(error instanceof TypeError) || !MISSING_PART.test(error.message)) return;
  try {
    if (Date.now() - Number(sessionStorage.getItem(KEY) ?? 0) < ONCE_WITHIN_MS) return;
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    return; // Without storage a second try could not be told from a first.
  }
  location.assign(new URL(url.replace(/^\//, ''), document.baseURI));
}
