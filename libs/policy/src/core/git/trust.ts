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
const COLLECTION = [/^gc\.recentobjectshook$/];
const BY_COMMAND: Readonly<Record<string, readonly RegExp[]>> = {
  gc: COLLECTION,
  prune: COLLECTION,
  repack: COLLECTION,
  maintenance: COLLECTION,
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
    ...(showsSignatures(settings) ||
    words.some((word) => /^-S|^--(gpg-sign|sign|signed|local-user|verify-signatures|show-signature)|^-[a-zA-Z]*[su]$/.test(word))
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

/** Settings that make an ordinary listing ask the signing program. */
function showsSignatures(settings: readonly GitSetting[]): boolean {
  return settings.some(
    ({ key, value }) => /^(format\.pretty|pretty\..*|(branch|tag)\.sort|log\.format)$/.test(key) && /%G|signature/.test(value),
  );
}

function isHarmless(key: string, value: string): boolean {
  if (/^submodule\..*\.update$/.test(key)) return !value.startsWith('!');
  if (key === 'diff.submodule') return value !== 'diff';
  return value === '' && /^(filter|credential)\./.test(key);
}

/** Whether a subcommand looks at the work tree, and so may start git inside submodules. */
export function entersModules(command: string): boolean {
  return command === 'submodule' || !OBJECTS_ONLY.has(command);
}

/** Addresses of the remotes that this repository names; one that is only sent to counts when something is sent. */
export function remotesOf(settings: readonly GitSetting[], sends: boolean): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>();
  for (const field of sends ? ['url', 'pushurl'] : ['url']) {
    for (const { key, value } of settings) {
      const name = key.startsWith('remote.') && key.endsWith(`.${field}`) ? key.slice('remote.'.length, -field.length - 1) : '';
      if (name !== '') remotes.set(name, value);
    }
  }
  return remotes;
}

/** The remote, or the address, that git takes when none is given. */
export function defaultRemote(settings: readonly GitSetting[], branch: string | null, sends: boolean): string | undefined {
  const value = (wanted: string) => settings.findLast(({ key }) => key === wanted)?.value;
  const ofBranch = branch === null ? undefined : value(`branch.${branch}.remote`);
  const ofPush = (branch === null ? undefined : value(`branch.${branch}.pushremote`)) ?? value('remote.pushdefault');
  return (sends ? ofPush : undefined) ?? ofBranch;
}

/** Host of a git address: URL or `user@host:path`; null for a path. */
export function hostOf(address: string): string | null {
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(address)) return URL.canParse(address) ? new URL(address).host : null;
  return /^(?:[^/:]+@)?([^/:]+):/.exec(address)?.[1] ?? null;
}
