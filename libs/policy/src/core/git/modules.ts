import type { PathLook } from '../path-look.js';
import { isInside, resolvePath } from '../paths/resolve.js';
import { readGitConfig, type GitSetting } from './config.js';

const MAX_FOLDERS = 200;
const MAX_CONFIG_BYTES = 64 * 1024;
/** What a git that is started inside a submodule obeys; the hardening of a run does not reach it. */
const RUNS = [
  /^core\.(fsmonitor|hookspath|sshcommand|gitproxy|askpass|alternaterefscommand)$/,
  /^filter\..*\.(clean|smudge|process)$/,
  /^include(if\..*)?\.path$/,
  /^(diff\.external|diff\..*\.(textconv|command)|merge\..*\.driver)$/,
];
const HARMLESS = /^(false|no|off|0|\/dev\/null|)$/i;

/** Settings and hooks of submodules that run a program, named by where they stand. Bounded; what lies beyond is named too. */
export function riskyModules(look: PathLook, root: string, workTree: string, common: string): readonly string[] {
  const { found, partial } = storedModules(look, `${common}/modules`);
  const folders = [...found, ...ownModules(look, root, workTree)];
  const risky = folders.flatMap((folder) => riskyIn(look, root, folder).map((key) => `${key} of the submodule ${nameOf(folder)}`));
  return partial ? [...risky, 'more submodules than are looked at'] : risky;
}

/** Every folder below `modules` that is a repository; names of submodules may hold slashes. */
function storedModules(look: PathLook, top: string): { readonly found: readonly string[]; readonly partial: boolean } {
  const found: string[] = [];
  const queue = look.lstat(top)?.kind === 'directory' ? [top] : [];
  for (let seen = 0, next = queue.shift(); next !== undefined; next = queue.shift()) {
    if ((seen += 1) > MAX_FOLDERS) return { found, partial: true };
    if (next !== top && look.lstat(`${next}/config`) !== null) {
      found.push(next);
      queue.push(...(look.lstat(`${next}/modules`) === null ? [] : [`${next}/modules`]));
      continue;
    }
    for (const name of look.list(next) ?? []) if (look.lstat(`${next}/${name}`)?.kind === 'directory') queue.push(`${next}/${name}`);
  }
  return { found, partial: false };
}

/** Submodules that keep their repository in their own folder. */
function ownModules(look: PathLook, root: string, workTree: string): readonly string[] {
  const settings = readGitConfig(look.readText(`${workTree}/.gitmodules`, MAX_CONFIG_BYTES) ?? '') ?? [];
  return settings
    .filter(({ key }) => /^submodule\..*\.path$/.test(key))
    .slice(0, MAX_FOLDERS)
    .flatMap(({ value }) => {
      const resolved = resolvePath(look, workTree, `${value}/.git`, true);
      return resolved?.fact?.kind === 'directory' && isInside(root, resolved.real) ? [resolved.real] : [];
    });
}

function riskyIn(look: PathLook, root: string, folder: string): readonly string[] {
  const config = resolvePath(look, folder, 'config', true);
  const text = config && isInside(root, config.real) ? look.readText(config.real, MAX_CONFIG_BYTES) : '';
  const settings: readonly GitSetting[] | null = text === null ? [] : readGitConfig(text);
  if (settings === null) return ['a configuration that cannot be read'];
  const keys = settings
    .filter(({ key, value }) => RUNS.some((run) => run.test(key.toLowerCase())) && !HARMLESS.test(value))
    .map(({ key }) => key);
  const hooks = (look.list(`${folder}/hooks`) ?? []).filter((name) => !name.endsWith('.sample'));
  return [...keys, ...(hooks.length > 0 ? ['hooks'] : [])];
}

function nameOf(folder: string): string {
  const stored = /\/modules\/(.*)$/.exec(folder)?.[1];
  return stored ?? folder.replace(/\/\.git$/, '').replace(/^.*\//, '');
}
