/** Shapes of secrets and what a log line shows instead. Each is one linear pass. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/csn_[A-Za-z0-9_-]{4,}/g, 'csn_[redacted]'],
  [/\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]+/gi, '$1 [redacted]'],
  [/\b(csn_session|cookie|authorization|password|token|secret|api[_-]?key|key|code)=[^&\s"'\\;,#]+/gi, '$1=[redacted]'],
  [/"(authorization|cookie|set-cookie|password|token|secret|api[_-]?key|x-csrf-token)":"(?:[^"\\]|\\.)*"/gi, '"$1":"[redacted]"'],
  [/(:\/\/[^\s/:@"\\]{0,256}):[^\s/@"\\]{1,256}@/g, '$1:[redacted]@'],
];

/** A finished log line without anything that looks like a secret. The last step before it is written, whatever was logged. */
export function redactLog(line: string): string {
  return SECRETS.reduce((text, [shape, shown]) => text.replace(shape, shown), line);
}
