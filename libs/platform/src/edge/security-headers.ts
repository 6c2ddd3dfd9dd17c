const HALF_A_YEAR_S = 15_552_000;

/**
 * What pages of the console may do. No script but the server's own files. Styles are allowed inline: Angular, Material and
 * the terminal put theirs into the page while it runs, and a nonce for each page would keep the page from being a file.
 */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');
/** An answer to a machine is no page: nothing in it may load or run. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Paths of machines. The description of the API is a page. */
const ANSWERS = /^\/(api\/(?!docs)|mcp|health|ready|metrics)/;

export type Headers = readonly (readonly [string, string])[];

/** The same headers for every answer of one kind, made once: they are set on each request. */
export function securityHeaders(isHttps: boolean): (path: string) => Headers {
  const always: Headers = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-resource-policy', 'same-origin'],
    ...(isHttps ? [['strict-transport-security', `max-age=${String(HALF_A_YEAR_S)}`] as const] : []),
  ];
  const answer: Headers = [...always, ['content-security-policy', ANSWER_POLICY], ['cache-control', 'no-store']];
  const page: Headers = [
    ...always,
    ['content-security-policy', PAGE_POLICY],
    ['cross-origin-opener-policy', 'same-origin'],
    ['origin-agent-cluster', '?1'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'],
    ['x-frame-options', 'DENY'],
  ];
  return (path) => (ANSWERS.test(path) ? answer : page);
}
