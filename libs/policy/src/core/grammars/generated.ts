import type { ToolUse } from '../grammar/tool.js';
import { resolvePath, segmentsBelow } from '../paths/resolve.js';
import { contentOf, foldersUp } from './project-files.js';

/** Names of folders that tools make and make again. */
const GENERATED = new Set(
  `dist build out output target coverage node_modules tmp temp .tmp .cache .next .nuxt .output .svelte-kit .turbo .parcel-cache .vite .angular .nyc_output
   __pycache__ .pytest_cache .mypy_cache .ruff_cache .tox .nox .venv venv .eggs htmlcov .gradle .dart_tool .terraform obj debug release generated
   test-results playwright-report storybook-static .sass-cache .serverless .vercel .netlify .docusaurus .expo _build artifacts`.split(
    /\s+/,
  ),
);

/** Whether a folder can be made again: a known name, a file after all, or something that the repository ignores. */
export function isGenerated(use: ToolUse, text: string): boolean {
  const { look, cwd, root } = use.context;
  const resolved = resolvePath(look, cwd, text, false);
  if (!resolved) return false;
  if (resolved.fact && resolved.fact.kind !== 'directory') return true;
  const below = segmentsBelow(root, resolved.real);
  const last = below.at(-1) ?? '';
  return (
    GENERATED.has(last) ||
    /\.(egg-info|tsbuildinfo|pyc)$/.test(last) ||
    below.some((name) => name === 'node_modules') ||
    isIgnored(use, below)
  );
}

/** Lines of `.gitignore` that are a name, a path from the top, or `*` with an ending. */
function ignoreLines(use: ToolUse): readonly string[] {
  const lines = foldersUp(use).flatMap((folder) => (contentOf(use, `${folder}/.gitignore`) ?? '').split(/\r?\n/));
  return lines.map((line) => line.trim().replace(/\/$/, '')).filter((line) => /^\*?[^#!*?[\\]+$/.test(line));
}

/** Says of a name whether a tool that obeys `.gitignore` leaves it out; what is not understood counts as not ignored. */
export function ignoredNames(use: ToolUse): (name: string) => boolean {
  const lines = ignoreLines(use);
  const names = new Set(lines.map((line) => line.replace(/^\//, '')));
  const endings = lines.filter((line) => line.startsWith('*')).map((line) => line.slice(1));
  return (name) => names.has(name) || endings.some((ending) => name.endsWith(ending));
}

function isIgnored(use: ToolUse, below: readonly string[]): boolean {
  const { root } = use.context;
  const ignored = new Set(ignoreLines(use).filter((line) => !line.startsWith('*')));
  return (
    root !== '/' &&
    (below.some((name) => ignored.has(name)) || ignored.has(`/${below.join('/')}`) || (below.length > 1 && ignored.has(below.join('/'))))
  );
}
