import type { ToolUse } from '../grammar/tool.js';
import { shown } from '../display.js';
import { isInside, resolvePath } from '../paths/resolve.js';

const MAX_BYTES = 256 * 1024;
/** Program text is shown to people up to this length. */
const MAX_SHOWN = 8 * 1024;

/** Folders from one up to the workspace, nearest first. */
export function foldersUp({ context: { cwd, root } }: ToolUse, from = cwd): readonly string[] {
  const folders: string[] = [];
  for (let folder = from; isInside(root, folder); folder = folder.slice(0, folder.lastIndexOf('/')) || '/') {
    folders.push(folder);
    if (folder === root || folder === '/') break;
  }
  return folders;
}

/** The nearest file of that name, from a folder upwards inside the workspace. */
export function nearest(use: ToolUse, name: string, from?: string): string | null {
  const { look } = use.context;
  for (const folder of foldersUp(use, from)) {
    const path = `${folder === '/' ? '' : folder}/${name}`;
    const fact = look.lstat(path);
    if (fact && fact.kind !== 'directory') return path;
  }
  return null;
}

/** Content of a file inside the workspace, links resolved; null when absent or outside. */
export function contentOf(use: ToolUse, path: string): string | null {
  const { look, root } = use.context;
  const resolved = resolvePath(look, '/', path, true);
  return resolved && isInside(root, resolved.real) ? look.readText(resolved.real, MAX_BYTES) : null;
}

/** Shows an approver which script of `package.json` really runs, with those before and after it. */
export function showScript(use: ToolUse, name: string, from?: string): void {
  if (!showHooks(use, [`pre${name}`, name, `post${name}`], from)) use.analysis.fire('project.script', `the script ${name} of package.json`);
}

/** Shows those of the named scripts that `package.json` has; says whether there is one. */
export function showHooks(use: ToolUse, names: readonly string[], from?: string): boolean {
  const path = nearest(use, 'package.json', from);
  const scripts = path === null ? null : scriptsOf(contentOf(use, path));
  if (path !== null) use.analysis.touch({ kind: 'path', target: path, role: 'execute', note: 'names what runs' });
  let found = false;
  for (const name of names) {
    const script = scripts?.[name];
    if (typeof script !== 'string') continue;
    found = true;
    showText(use, name, path ?? '', script);
    use.analysis.say('project.script', `It runs the script ${shown(name)} of package.json: ${shown(script, 200)}`);
  }
  return found;
}

/** Code of the workspace that a tool runs by itself when it is there, such as a build script. */
export function showFile(use: ToolUse, name: string): void {
  const path = nearest(use, name);
  if (path === null) return;
  use.path(path, 'execute');
  showText(use, name, path, contentOf(use, path) ?? '');
}

/** Hands the text itself to the person who decides. */
export function showText({ analysis }: ToolUse, name: string, file: string, text: string): void {
  analysis.script({ name, file, text: text.slice(0, MAX_SHOWN), isWhole: text.length <= MAX_SHOWN });
}

export function hasScript(use: ToolUse, name: string): boolean {
  const path = nearest(use, 'package.json');
  const scripts = path === null ? null : scriptsOf(contentOf(use, path));
  return scripts !== null && Object.hasOwn(scripts, name);
}

function scriptsOf(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null) return null;
  try {
    const { scripts } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return scripts ?? null;
  } catch {
    return null; // not JSON: the tool will say so itself
  }
}

/** Settings of npm that run something else or send the command somewhere else. */
const NPM_SETTING =
  /^\s*(@[^:=\s]+:registry|registry|prefix|globalconfig|userconfig|script[-_]shell|shell|node[-_]options|git|proxy|https[-_]proxy|cafile|ca|cert|key|strict[-_]ssl|init[-_]module|onload[-_]script|ignore[-_]scripts|.*_auth(token)?|.*_password|.*:username|node[-_]path|npm[-_]path|editor|viewer|browser|scripts[-_]prepend[-_]node[-_]path|pnpmfile|global[-_]?pnpmfile|unsafe[-_]perm)\s*(\[\])?\s*=/i;

/** An `.npmrc` of the workspace that changes what a package manager runs or where it connects. */
export function judgeNpmSettings(use: ToolUse, from?: string): void {
  for (const folder of foldersUp(use, from)) {
    const path = `${folder === '/' ? '' : folder}/.npmrc`;
    if (!use.context.look.lstat(path)) continue;
    const text = contentOf(use, path);
    if (text === null) use.fire('project.settings', '.npmrc');
    for (const line of text?.split(/\r?\n/) ?? []) {
      const key = NPM_SETTING.exec(line)?.[1];
      if (key !== undefined && !/^ignore[-_]scripts$/i.test(key)) use.fire('project.settings', `${key} in .npmrc`);
    }
  }
}
