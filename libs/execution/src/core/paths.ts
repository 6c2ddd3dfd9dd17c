import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is the folder or lies in it. Both absolute and real. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/** Folders of this account that hold credentials; hidden from every run. */
export function credentialFolders(home: string): readonly string[] {
  return [
    '.ssh',
    '.aws',
    '.azure',
    '.gnupg',
    '.kube',
    '.docker',
    '.config/gcloud',
    '.config/gh',
    '.netrc',
    '.npmrc',
    '.git-credentials',
    '.config/git/credentials',
    '.config/containers',
    '.config/rclone',
    '.config/op',
    '.gcloud',
    '.password-store',
    '.local/share/keyrings',
    '.pgpass',
    '.my.cnf',
    '.pypirc',
    '.cargo/credentials',
    '.cargo/credentials.toml',
    '.m2/settings.xml',
    '.gradle/gradle.properties',
    '.gem/credentials',
    '.terraform.d',
    '.vault-token',
    '.claude',
    '.claude.json',
    '.codex',
    '.mozilla',
    '.config/chromium',
    '.config/google-chrome',
    '.bash_history',
    '.zsh_history',
  ].map((name) => `${home}/${name}`);
}
