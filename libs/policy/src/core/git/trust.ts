import type { GitSetting } from './config.js';

/** Settings that run a program or redirect git, by what makes git look at them. Those that a run overrides are not here. */
const ALWAYS = [
  /^include\.path$/,
  /^includeif\..*\.path$/,
  /^core\.worktree$/,
  /^diff\.submodule$/,
  /^objects\/info\/alternates$/,
  /^core\.(askpass|alternaterefscommand)$/,
];
const WORK_TREE = [/^filter\..*\.(clean|smudge|process)$/, /^merge\..*\.driver$/];
const NETWORK = [
  /^core\.(sshcommand|gitproxy)$/,
  /^credential\.(.*\.)?helper$/,
  /^remote\..*\.(uploadpack|receivepack|vcs|proxy)$/,
  /^http\.(.*\.)?(proxy|sslverify|sslcainfo|sslcert|sslkey|cookiefile)$/,
  /^url\..*\.(insteadof|pushinsteadof)$/,
  /^protocol\.(.*\.)?allow$/,
  /^submodule\..*\.update$/,
];
const SIGNING = [/^gpg\.(.*\.)?(program|defaultkeycommand)$/];
const DIFFERENCES = [/^diff\.external$/, /^diff\..*\.(textconv|command)$/, /^interactive\.difffilter$/];
const BY_COMMAND: Readonly<Record<string, readonly RegExp[]>> = {
  status: [/^status\.submodulesummary$/],
  archive: [/^tar\..*\.command$/],
  commit: [/^trailer\..*\.(command|cmd)$/, /^status\.submodulesummary$/],
  'interpret-trailers': [/^trailer\..*\.(command|cmd)$/],
};

const HELP = [/^man\.(viewer|.*\.(cmd|path))$/, /^help\.(format|browser)$/, /^browser\..*\.(cmd|path)$/, /^web\.browser$/];

/** Subcommands that never look at the work tree, so that no filter runs. */
const OBJECTS_ONLY = new Set(
  `log show whatchanged shortlog rev-parse rev-list branch tag remote ls-tree cat-file reflog name-rev for-each-ref show-ref
   show-branch merge-base symbolic-ref config ls-remote count-objects cherry range-diff var bundle notes verify-pack help version
   check-ref-format check-attr check-ignore check-mailmap stripspace column`.split(/\s+/),
);
const CONNECTS = new Set('fetch pull push clone ls-remote submodule remote archive fetch-pack send-pack'.split(' '));
const SHOWS_PATCH = /^(-[a-zA-Z]*[vpei][a-zA-Z]*|--(verbose|patch|interactive|edit))$/;

/** The settings that matter for this use of git, by key. `words` are those behind the subcommand. */
export function riskySettings(settings: readonly GitSetting[], command: string, words: readonly string[]): readonly string[] {
  const promises = settings.some(({ key }) => /^remote\..*\.promisor$|^extensions\.partialclone$/.test(key));
  const remerges =
    words.some((word) => /remerge|^--diff-merges=r/.test(word)) ||
    settings.some(({ key, value }) => key === 'log.diffmerges' && value.startsWith('r'));
  const patterns = [
    ...ALWAYS,
    ...(OBJECTS_ONLY.has(command) ? [] : WORK_TREE),
    ...(promises || CONNECTS.has(command) ? NETWORK : []),
    ...(words.some((word) => /^-S|^--(gpg-sign|sign|signed|local-user|verify-signatures|show-signature)|^-[a-zA-Z]*[su]$/.test(word))
      ? SIGNING
      : []),
    ...(!OBJECTS_ONLY.has(command) && command !== 'diff' && command !== 'blame' && words.some((word) => SHOWS_PATCH.test(word))
      ? DIFFERENCES
      : []),
    ...(remerges ? WORK_TREE : []),
    ...(command === 'help' || words.includes('--help') ? HELP : []),
    ...(BY_COMMAND[command] ?? []),
  ];
  const found = settings.filter(({ key, value }) => patterns.some((pattern) => pattern.test(key.toLowerCase())) && !isHarmless(key, value));
  const urls = settings.filter(({ key, value }) => /^remote\..*\.(push)?url$/.test(key) && /^\w+::/.test(value));
  return [...new Set([...found, ...(CONNECTS.has(command) || promises ? urls : [])].map(({ key }) => key))];
}

function isHarmless(key: string, value: string): boolean {
  if (/^submodule\..*\.update$/.test(key)) return !value.startsWith('!');
  if (key === 'diff.submodule') return value !== 'diff';
  return value === '' && /^(filter|credential)\./.test(key);
}

/** Addresses of the remotes that this repository names. */
export function remotesOf(settings: readonly GitSetting[]): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>();
  for (const { key, value } of settings) {
    const name = /^remote\.(.*)\.(?:push)?url$/.exec(key)?.[1];
    if (name !== undefined) remotes.set(name, value);
  }
  return remotes;
}

/** Host of a git address: URL or `user@host:path`; null for a path. */
export function hostOf(address: string): string | null {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return URL.canParse(address) ? new URL(address).host : null;
  return /^(?:[^/:]+@)?([^/:]+):/.exec(address)?.[1] ?? null;
}
