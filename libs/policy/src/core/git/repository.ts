import type { Context } from '../context.js';
import { isInside, resolvePath } from '../paths/resolve.js';
import { riskyModules } from './modules.js';
import { readGitConfig, type GitSetting } from './config.js';

const MAX_CONFIG_BYTES = 256 * 1024;

export type Repository =
  | { readonly kind: 'none' }
  /** Something that must not be used: `what` of it lies outside, or is not what it seems. */
  | { readonly kind: 'foreign'; readonly what: string }
  | {
      readonly kind: 'found';
      readonly settings: readonly GitSetting[];
      /** A configuration file was there and could not be understood. */
      readonly unreadable: boolean;
      readonly hooks: readonly string[];
      /** The branch that is checked out. */
      readonly branch: string | null;
      /** What of its submodules would run a program; worked out only when asked for. */
      readonly riskyModules: () => readonly string[];
    };

/** Finds the repository that git would use here, and its own settings, without starting git. */
export function findRepository({ look, cwd, root }: Context): Repository {
  for (let folder = cwd; isInside(root, folder); folder = folder.slice(0, folder.lastIndexOf('/')) || '/') {
    const entry = `${folder === '/' ? '' : folder}/.git`;
    const fact = look.lstat(entry);
    if (fact) return open(look, root, folder, entry);
    if (isBare(look, folder)) return { kind: 'foreign', what: 'A bare repository in a folder' };
    if (folder === root || folder === '/') break;
  }
  return { kind: 'none' };
}

function isBare(look: Context['look'], folder: string): boolean {
  const has = (name: string) => look.lstat(`${folder}/${name}`) !== null;
  return has('HEAD') && has('objects') && has('refs');
}

function open(look: Context['look'], root: string, folder: string, entry: string): Repository {
  const resolved = resolvePath(look, folder, '.git', true);
  if (!resolved || !isInside(root, resolved.real)) return { kind: 'foreign', what: 'The folder .git' };
  let gitDir = resolved.real;
  if (resolved.fact?.kind === 'file') {
    const target = /^gitdir:\s*(.+?)\s*$/.exec(look.readText(gitDir, 4096) ?? '')?.[1];
    const real = target === undefined ? null : resolvePath(look, folder, target, true);
    if (!real || !isInside(root, real.real)) return { kind: 'foreign', what: `The repository that ${entry} names` };
    gitDir = real.real;
  }
  const common = commonDir(look, gitDir);
  if (common === null || !isInside(root, common)) return { kind: 'foreign', what: 'The shared part' };
  const config = resolvePath(look, common, 'config', true);
  if (!config || !isInside(root, config.real)) return { kind: 'foreign', what: 'The configuration' };
  const texts = [look.readText(config.real, MAX_CONFIG_BYTES), look.readText(`${gitDir}/config.worktree`, MAX_CONFIG_BYTES)];
  const parsed = texts.map((text) => (text === null ? [] : readGitConfig(text)));
  return {
    kind: 'found',
    settings: [...parsed.flatMap((settings) => settings ?? []), ...borrowed(look, root, common)],
    unreadable: parsed.includes(null) || (config.fact !== null && texts[0] === null),
    branch: /^ref: refs\/heads\/(.+?)\s*$/.exec(look.readText(`${gitDir}/HEAD`, 4096) ?? '')?.[1] ?? null,
    riskyModules: () => riskyModules(look, root, folder, common),
    hooks: (look.list(`${common}/hooks`) ?? []).filter((name) => !name.endsWith('.sample')).sort(),
  };
}

/** Linked work trees keep their settings in the main repository. */
function commonDir(look: Context['look'], gitDir: string): string | null {
  const text = look.readText(`${gitDir}/commondir`, 4096);
  return text === null ? gitDir : (resolvePath(look, gitDir, text.trim(), true)?.real ?? null);
}

/** Objects that are read from elsewhere count like a setting. */
function borrowed(look: Context['look'], root: string, common: string): readonly GitSetting[] {
  const text = look.readText(`${common}/objects/info/alternates`, 4096) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .filter((line) => !isInside(root, resolvePath(look, `${common}/objects`, line, true)?.real ?? '/'))
    .map((value) => ({ key: 'objects/info/alternates', value }));
}
