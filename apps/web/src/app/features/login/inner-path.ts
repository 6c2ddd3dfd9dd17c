/** Only a path of this console: another address in the link is not followed. Browsers drop tabs and line ends, so none may stand in it. */
export function innerPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[^\p{Cc}]*$/u.test(next) ? next : '/';
}
