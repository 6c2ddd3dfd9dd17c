import type { Grammar } from '../grammar/tool.js';
import { ARCHIVES } from './archives.js';
import { BUILDING } from './building.js';
import { COMPARING } from './comparing.js';
import { CONTAINERS } from './containers.js';
import { FINDING } from './find.js';
import { FORBIDDEN, FORBIDDEN_NAMES } from './forbidden.js';
import { GIT } from './git.js';
import { SEARCH } from './grep.js';
import { JS_TOOLS } from './js-tools.js';
import { LISTING } from './listing.js';
import { NETWORK_TOOLS } from './network.js';
import { NODE } from './node.js';
import { PACKAGE_MANAGERS } from './npm.js';
import { PRINTING } from './printing.js';
import { PROCESSES } from './processes.js';
import { PYTHON } from './python.js';
import { READING } from './reading.js';
import { SHELLS } from './shells.js';
import { TAR } from './tar.js';
import { TEXT_PROGRAMS } from './text-programs.js';
import { WRAPPERS } from './wrappers.js';
import { WRITING } from './writing.js';

/** Families by the heading they have in documentation. */
export const FAMILIES: Readonly<Record<string, Readonly<Record<string, Grammar>>>> = {
  'Names, dates and kinds of files': LISTING,
  'Content of files': READING,
  'Text and facts': PRINTING,
  'Looking for files': FINDING,
  'Looking for text': SEARCH,
  'Programs in small languages': TEXT_PROGRAMS,
  'Comparing and patching': COMPARING,
  'Making, moving and removing files': WRITING,
  Archives: { ...TAR, ...ARCHIVES },
  Git: GIT,
  'Wrappers and shells': { ...WRAPPERS, ...SHELLS },
  Processes: PROCESSES,
  'Languages and project tools': { ...NODE, ...PACKAGE_MANAGERS, ...JS_TOOLS, ...PYTHON, ...BUILDING },
  Network: NETWORK_TOOLS,
  'Containers and clusters': CONTAINERS,
  'Never allowed': FORBIDDEN,
};

const BY_NAME: ReadonlyMap<string, Grammar> = new Map(
  Object.values(FAMILIES).flatMap((family) =>
    Object.entries(family).flatMap(([names, grammar]) =>
      names
        .split(/\s+/)
        .filter((name) => name !== '')
        .map((name): [string, Grammar] => [name, grammar]),
    ),
  ),
);

/** Names that carry a version, such as `python3.12` or `gcc-13`. */
const VERSIONED = /^(python|pip|node|nodejs|gcc|g\+\+|clang|clang\+\+|ruby|php|perl|lua|git|make|tsc|java|bash)-?\d+(\.\d+)*$/;

/** The grammar of a tool by the last part of its path. */
export function grammarOf(name: string): Grammar | undefined {
  return BY_NAME.get(name) ?? BY_NAME.get(VERSIONED.exec(name)?.[1] ?? '') ?? forbiddenFolded(name);
}

/** Where a file system folds case, `SUDO` is `sudo`. */
function forbiddenFolded(name: string): Grammar | undefined {
  const folded = name.toLowerCase().replace(/(\.(exe|cmd|bat|com))?[. ]*$/, '');
  return FORBIDDEN_NAMES.has(folded) ? BY_NAME.get(folded) : undefined;
}
