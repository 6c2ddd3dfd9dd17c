/** The text with rules added at its end, as a proposal gives them: a YAML list. What is written stays as it is. Pure. */
export function withRules(yaml: string, rules: string): string {
  const added = rules
    .replace(/\n+$/, '')
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n');
  const text = yaml.replace(/\n*$/, '\n').replace(/^rules:\s*\[\s*\][ \t]*$/m, 'rules:');
  return `${/^rules:/m.test(text) ? text : `${text}rules:\n`}${added}\n`;
}
