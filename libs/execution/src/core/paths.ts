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
  ].map((name) => `${home}/${name}`);
}
