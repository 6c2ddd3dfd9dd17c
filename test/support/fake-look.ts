import { PathLook, type FileFact } from '#policy/core';

/** A file by its text, a folder by `null`, a link by where it leads; `links` counts hard links. */
export type FakeEntry = string | null | { readonly leadsTo: string } | { readonly text: string; readonly links: number };

/** A file system in memory. Folders above an entry exist by themselves. */
export class FakeLook extends PathLook {
  readonly #entries = new Map<string, FakeEntry>();

  constructor(entries: Readonly<Record<string, FakeEntry>>) {
    super();
    this.#entries.set('/', null);
    for (const [path, entry] of Object.entries(entries)) {
      const segments = path.split('/').filter((segment) => segment !== '');
      segments.slice(0, -1).forEach((_, at) => {
        const folder = `/${segments.slice(0, at + 1).join('/')}`;
        if (!this.#entries.has(folder)) this.#entries.set(folder, null);
      });
      this.#entries.set(path, entry);
    }
  }

  lstat(path: string): FileFact | null {
    const entry = this.#entries.get(path);
    if (entry === undefined) return null;
    if (entry === null) return { kind: 'directory', links: 2 };
    if (typeof entry === 'string') return { kind: 'file', links: 1 };
    return 'leadsTo' in entry ? { kind: 'symlink', links: 1 } : { kind: 'file', links: entry.links };
  }

  readlink(path: string): string | null {
    const entry = this.#entries.get(path);
    return typeof entry === 'object' && entry !== null && 'leadsTo' in entry ? entry.leadsTo : null;
  }

  list(path: string): readonly string[] | null {
    if (this.#entries.get(path) !== null) return null;
    const prefix = path === '/' ? '/' : `${path}/`;
    const names = [...this.#entries.keys()].filter(
      (key) => key !== '/' && key.startsWith(prefix) && !key.slice(prefix.length).includes('/'),
    );
    return names.map((key) => key.slice(prefix.length));
  }

  readText(path: string, maxBytes: number): string | null {
    const entry = this.#entries.get(path);
    if (typeof entry === 'string') return entry.slice(0, maxBytes);
    return typeof entry === 'object' && entry !== null && 'text' in entry ? entry.text.slice(0, maxBytes) : null;
  }
}
