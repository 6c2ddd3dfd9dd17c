import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { findRepository } from '../git/repository.js';
import { defaultRemote, hostOf, remotesOf } from '../git/trust.js';

/** Longer than any address that somebody means. */
const MAX_ADDRESS = 2_000;

const PROGRAM: OptionSpec = ['text', 'git.program'];

/** Judges where a word like `origin` or an address leads. */
function judgeRemote(use: ToolUse, name: string | undefined, sends: boolean): void {
  const repository = findRepository(use.context);
  const remotes = repository.kind === 'found' ? remotesOf(repository.settings, sends) : new Map<string, string>();
  if (name === undefined) {
    const chosen = repository.kind === 'found' ? defaultRemote(repository.settings, repository.branch, sends) : undefined;
    if (chosen !== undefined) return judgeRemote(use, chosen, sends);
    const address = remotes.get('origin') ?? [...remotes.values()][0];
    const host = address === undefined ? null : hostOf(address);
    return connect(use, host ?? 'the configured remote', host);
  }
  const address = remotes.get(name);
  if (address !== undefined) return judgeAddress(use, address, name);
  // A plain name is a remote that cannot be seen from here; anything else is an address of its own.
  if (/^[\w.-]+$/.test(name) && name !== '.' && name !== '..') return connect(use, `the remote ${name}`, null);
  if (sends) use.fire('git.unlisted-remote', name);
  judgeAddress(use, name, name);
}

export function judgeAddress(use: ToolUse, address: string, shownAs: string): void {
  if (address.length > MAX_ADDRESS) return use.fire('network.scheme', address);
  if (/^\w[\w+.-]*::/.test(address)) return use.fire('git.program', `git ${shownAs}`);
  const scheme = /^([a-z][a-z\d+.-]*):\/\//i.exec(address)?.[1]?.toLowerCase();
  if (scheme === 'file') return void use.path(address.slice(7), 'read');
  if (scheme !== undefined && !['https', 'ssh', 'git+ssh', 'ssh+git'].includes(scheme)) return use.fire('network.scheme', address);
  if (address.startsWith('-') || /^ssh:\/\/-/.test(address)) return use.fire('git.program', address);
  const host = hostOf(address);
  if (host === null) return void use.path(address, 'read');
  if (/^[^@]*:[^@/]*@/.test(address.replace(/^[a-z+]+:\/\//i, ''))) use.fire('network.credential', 'A password inside an address');
  connect(use, host, host);
}

/** An address that is only written down: nothing connects yet, but a helper program or a folder outside stays what it is. */
export function judgeStoredAddress(use: ToolUse, address: string): void {
  if (address.length > MAX_ADDRESS) return use.fire('network.scheme', address);
  if (/^\w[\w+.-]*::/.test(address) || /^(ssh:\/\/)?-/.test(address)) return use.fire('git.program', address);
  if (hostOf(address) === null || /^file:/i.test(address)) use.path(address.replace(/^file:\/\//i, ''), 'read');
}

function connect(use: ToolUse, what: string, host: string | null): void {
  if (host !== null) use.analysis.host(host);
  use.fire('network.connect', what);
}

const FETCH: Readonly<Record<string, OptionSpec>> = {
  '--upload-pack': PROGRAM,
  '--depth --deepen --shallow-since --shallow-exclude --refmap --negotiation-tip -j --jobs --filter --server-option -o --bundle-uri':
    'text',
  '--recurse-submodules': ['text?', 'git.settings'],
  '--recurse-submodules-default --submodule-prefix': 'text',
  '-u --update-head-ok': ['flag', 'git.refs'],
  '--set-upstream': ['flag', 'git.remote'],
  '-p --prune': 'flag',
  '-P --prune-tags': 'flag',
  '-f --force': ['flag', 'git.refs'],
};

const FETCH_FLAGS = `--all --no-all -a --append --atomic --no-atomic --unshallow --update-shallow --dry-run --porcelain --no-write-fetch-head --write-fetch-head -k --keep --multiple
  --auto-maintenance --no-auto-maintenance --auto-gc --no-auto-gc --no-prune -n --no-tags -t --tags --no-recurse-submodules -q --quiet -v
  --verbose --progress --no-progress -4 --ipv4 -6 --ipv6 --show-forced-updates --no-show-forced-updates --stdin --write-commit-graph
  --no-write-commit-graph --prefetch --refetch --no-force --negotiate-only`;

const fetch: Grammar = {
  flags: FETCH_FLAGS,
  options: FETCH,
  operands: 'text*',
  rules: ['git.work'],
  study: (use) => judgeRemote(use, use.texts()[0], false),
};

const pull: Grammar = {
  flags: `${FETCH_FLAGS} --commit --no-commit -e --edit --no-edit --ff --no-ff --ff-only --stat --no-stat --log --no-log --squash --no-squash --signoff --no-signoff
    --autostash --no-autostash --allow-unrelated-histories --no-rebase --no-verify --verify`,
  options: {
    ...FETCH,
    '-j --jobs': 'text?',
    '-r --rebase': 'text?',
    '-s --strategy -X --strategy-option --cleanup': 'text',
    '-S --gpg-sign': ['text?', 'git.signing'],
    '--verify-signatures': ['flag', 'git.program'],
  },
  operands: 'text*',
  rules: ['git.work'],
  study: (use) => judgeRemote(use, use.texts()[0], false),
};

const push: Grammar = {
  flags: `--all --branches -n --dry-run --porcelain --tags --follow-tags --no-follow-tags --atomic --no-atomic --force-if-includes --no-force-if-includes --thin --no-thin -q
    --quiet -v --verbose --progress --no-progress --verify --no-verify -4 --ipv4 -6 --ipv6 --no-recurse-submodules --no-signed`,
  options: {
    '-f --force': ['flag', 'git.refs'],
    '--force-with-lease': ['text?', 'git.refs'],
    '-d --delete': ['flag', 'git.refs'],
    '--mirror --prune': ['flag', 'git.refs'],
    '--receive-pack --exec': PROGRAM,
    '--repo': 'text',
    '-o --push-option': 'text',
    '-u --set-upstream': ['flag', 'git.remote'],
    '--signed': ['text?', 'git.signing'],
    '--recurse-submodules': 'text',
  },
  operands: 'text*',
  study: (use) => {
    const [remote, ...refs] = use.texts();
    judgeRemote(use, remote ?? use.value('--repo') ?? undefined, true);
    for (const ref of refs) if (/^[+:]/.test(ref)) use.fire('git.refs', `git push ${ref}`);
  },
};

const clone: Grammar = {
  flags: `-l --local --no-hardlinks -n --no-checkout --bare --mirror -q --quiet -v --verbose --progress --single-branch --no-single-branch --no-tags --tags
    --shallow-submodules --no-shallow-submodules --dissociate --sparse --reject-shallow --no-reject-shallow -4 --ipv4 -6 --ipv6 --also-filter-submodules --remote-submodules`,
  options: {
    '-u --upload-pack': PROGRAM,
    '-c --config': PROGRAM,
    '--template': ['read', 'git.program'],
    '-s --shared': ['flag', 'git.settings'],
    '--reference --reference-if-able': ['read', 'git.settings'],
    '--separate-git-dir': ['write', 'git.foreign'],
    '--recurse-submodules --recursive': ['text?', 'git.settings'],
    '-o --origin -b --branch --depth --shallow-since --shallow-exclude -j --jobs --filter --server-option --revision --ref-format': 'text',
    '--bundle-uri': 'url',
  },
  operands: 'text write?',
  rules: ['git.work'],
  study: (use) => {
    const [address, folder] = use.texts();
    if (address !== undefined) judgeAddress(use, address, address);
    if (folder === undefined) use.fire('write.workspace', 'a new folder with the clone');
  },
};

/** Subcommands that connect. */
export const GIT_NETWORK: Readonly<Record<string, Grammar>> = {
  fetch,
  pull,
  push,
  clone,
  'ls-remote': {
    flags: '-h --heads -b --branches -t --tags --refs -q --quiet --get-url --symref --exit-code',
    options: { '--upload-pack --exec': PROGRAM, '--sort -o --server-option': 'text' },
    operands: 'text*',
    study: (use) => {
      if (!use.options.some(({ as }) => as === '--get-url')) judgeRemote(use, use.texts()[0], false);
    },
  },
};
