import type { FileFact, PathLook } from './path-look.js';

/** Asks the file system once per path within one decision, so that one decision sees one state. */
export function remembering(look: PathLook): PathLook {
  const facts = new Map<string, FileFact | null>();
  const links = new Map<string, string | null>();
  return {
    lstat: (path) => recall(facts, path, () => look.lstat(path)),
    readlink: (path) => recall(links, path, () => look.readlink(path)),
    list: (path) => look.list(path),
    readText: (path, maxBytes) => look.readText(path, maxBytes),
  };
}

function recall<T>(known: Map<string, T>, path: string, ask: () => T): T {
  const ready = known.get(path);
  if (ready !== undefined) return ready;
  const answer = ask();
  known.set(path, answer);
  return answer;
}
