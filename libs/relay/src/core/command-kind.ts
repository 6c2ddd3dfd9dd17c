export const COMMAND_KINDS = ['test', 'build', 'lint', 'commit', 'tag', 'push', 'install', 'search', 'read', 'other'] as const;
export type CommandKind = (typeof COMMAND_KINDS)[number];

/** For people: a word anywhere in the text is enough to choose the label. */
const SHOWN_AS: readonly (readonly [CommandKind, readonly string[]])[] = [
  ['commit', ['git commit']],
  ['tag', ['git tag']],
  ['push', ['git push']],
  [
    'test',
    [
      'npm test',
      'npm run test',
      'pnpm test',
      'yarn test',
      'jest',
      'vitest',
      'pytest',
      'go test',
      'cargo test',
      'mvn test',
      'node --test',
      'mocha',
    ],
  ],
  ['lint', ['eslint', 'prettier', 'ruff', 'clippy', 'golangci']],
  ['build', ['npm run build', 'pnpm build', 'tsc', 'cargo build', 'go build', 'make', 'vite build']],
  ['install', ['npm ci', 'npm i ', 'npm install', 'pnpm add', 'pnpm install', 'pip install', 'apt-get', 'cargo add']],
  ['search', ['rg ', 'grep ', 'find ', 'fd ']],
  ['read', ['cat ', 'ls', 'head ', 'tail ', 'sed -n']],
];

/** Where a command may begin: at the start, or after an operator that starts another one. Assignments may stand before it. */
const START = String.raw`(?:^|&&|\|\||;|\n)\s*(?:[A-Za-z_]\w*=\S*\s+)*`;
const RUNNER = String.raw`(?:npx\s+(?:--no-install\s+|--yes\s+|-y\s+)?|pnpm\s+(?:exec|dlx)\s+|yarn\s+)?`;
const PROVES: readonly (readonly [CommandKind, RegExp])[] = [
  ['commit', new RegExp(String.raw`${START}git\s+(?:-C\s+\S+\s+)?commit\b`, 'u')],
  ['tag', new RegExp(String.raw`${START}git\s+(?:-C\s+\S+\s+)?tag\s+(?:-[asm]\s+)*(?!-)`, 'u')],
  ['push', new RegExp(String.raw`${START}git\s+(?:-C\s+\S+\s+)?push\b`, 'u')],
  [
    'test',
    new RegExp(
      String.raw`${START}(?:npm\s+(?:run\s+)?test\b|pnpm\s+(?:run\s+)?test\b|yarn\s+test\b|${RUNNER}(?:jest|vitest|mocha)\b|(?:python3?\s+-m\s+)?pytest\b|go\s+test\b|cargo\s+test\b|node\s+--test\b|mvn\s+(?:\S+\s+)*test\b)`,
      'u',
    ),
  ],
  [
    'lint',
    new RegExp(String.raw`${START}(?:npm\s+run\s+lint\b|${RUNNER}(?:eslint|prettier)\b|ruff\b|cargo\s+clippy\b|golangci-lint\b)`, 'u'),
  ],
  [
    'build',
    new RegExp(
      String.raw`${START}(?:npm\s+run\s+build\b|pnpm\s+(?:run\s+)?build\b|${RUNNER}(?:tsc|vite\s+build)\b|cargo\s+build\b|go\s+build\b|make\b)`,
      'u',
    ),
  ],
  ['install', new RegExp(String.raw`${START}(?:npm\s+(?:ci|i|install)\b|pnpm\s+(?:add|install|i)\b|pip3?\s+install\b)`, 'u')],
];

/** What a command looks like. For labels only: `echo "npm test"` looks like a test. */
export function shownAs(command: string): CommandKind {
  return SHOWN_AS.find(([, words]) => words.some((word) => command.includes(word)))?.[0] ?? 'other';
}

/** What a command did, when it stands where a command stands: `echo "npm test"` proves nothing. */
export function provenKind(command: string): CommandKind {
  return PROVES.find(([, pattern]) => pattern.test(command))?.[0] ?? 'other';
}
