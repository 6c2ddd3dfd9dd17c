import type { ToolUse } from '../grammar/tool.js';
import { resolvePath } from '../paths/resolve.js';
import { scanFolder } from '../paths/scan.js';

/** Where `cp`, `mv`, `ln` and `install` put what: each source with the name it will have. */
export interface Transfer {
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

/** Splits operands into sources and the names they get. Needs options `-t` and `-T` under these names. */
export function transferOf(use: ToolUse): Transfer {
  const texts = use.texts();
  const folder = use.value('-t');
  if (folder !== null) return { sources: texts, targets: texts.map((source) => under(folder, source)) };
  if (texts.length < 2) return { sources: texts, targets: [] };
  const last = texts.at(-1) ?? '';
  const sources = texts.slice(0, -1);
  const into = !use.has('-T') && (sources.length > 1 || isFolder(use, last));
  return { sources, targets: into ? sources.map((source) => under(last, source)) : [last] };
}

/** What a whole folder brings along when it is copied. */
export function judgeTree(use: ToolUse, source: string): void {
  const { look, cwd, root } = use.context;
  const resolved = resolvePath(look, cwd, source, false);
  if (resolved?.fact?.kind !== 'directory') return;
  const found = scanFolder(look, resolved.real, root);
  if (found.secret !== null) use.fire('path.secret-below', found.secret);
  if (found.protected !== null) use.fire('path.protected-below', found.protected);
}

/** A folder by what is there, or by how the word is written. */
export function isFolder({ context: { look, cwd } }: ToolUse, text: string): boolean {
  return /(^|\/)\.{0,2}$/.test(text) || resolvePath(look, cwd, text, true)?.fact?.kind === 'directory';
}

function under(folder: string, source: string): string {
  const name = source.replace(/\/+$/, '').replace(/^.*\//, '');
  return name === '' || name === '.' || name === '..' ? folder : `${folder}/${name}`;
}
