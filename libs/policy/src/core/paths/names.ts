/** Folders and files of other tools that run or obey what stands in them. Patterns of lower-case paths, by segments. */
const LATER_FOLDERS = [
  '.husky',
  '.githooks',
  '.vscode',
  '.vscode-insiders',
  '.idea',
  '.fleet',
  '.zed',
  '.devcontainer',
  '.circleci',
  '.buildkite',
  '.woodpecker',
  '.teamcity',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.direnv',
  '.yarn',
  '.mvn',
  '.hg',
  '.svn',
  '.jj',
  '.gitpod',
  '.semaphore',
  '.bundle',
  '.ssh',
  '.gnupg',
  'launchagents',
  'launchdaemons',
];
const LATER_PAIRS = [
  '.github/workflows',
  '.github/actions',
  '.gitea/workflows',
  '.forgejo/workflows',
  '.gitlab/ci',
  '.config/git',
  '.config/systemd',
  '.config/autostart',
  '.config/fish',
  '.config/pip',
  '.cargo/config',
  '.cargo/config.toml',
  '.docker/config.json',
  '.local/share',
  '.local/bin',
];
const LATER_FILES = [
  ['.gitconfig', '.gitmodules', '.gitattributes', '.lfsconfig'],
  [
    '.npmrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.pnpmfile.cjs',
    '.pnpmfile.mjs',
    '.pnpmfile.js',
    '.bunfig.toml',
    'bunfig.toml',
    'pip.conf',
    'pip.ini',
    '.pypirc',
  ],
  ['.bashrc', '.bash_profile', '.bash_login', '.bash_logout', '.bash_aliases', '.profile', '.zshrc', '.zshenv', '.zprofile', '.zlogin'],
  [
    '.kshrc',
    '.cshrc',
    '.tcshrc',
    '.login',
    '.inputrc',
    '.envrc',
    '.xprofile',
    '.xinitrc',
    '.vimrc',
    '.exrc',
    '.gdbinit',
    '.lldbinit',
    '.ripgreprc',
    '.nvimrc',
    '.nvim.lua',
    '.gvimrc',
    '.irbrc',
    '.pryrc',
    '.gemrc',
    '.rprofile',
    '.renviron',
    '.psqlrc',
    '.sqliterc',
    '.pythonrc',
    '.hgrc',
  ],
  ['.gitlab-ci.yml', '.gitlab-ci.yaml', '.travis.yml', '.drone.yml', '.cirrus.yml', '.appveyor.yml', 'appveyor.yml', 'jenkinsfile'],
  ['azure-pipelines.yml', 'azure-pipelines.yaml', 'bitbucket-pipelines.yml', 'buildspec.yml', 'cloudbuild.yaml', '.woodpecker.yml'],
  ['.pre-commit-config.yaml', '.pre-commit-config.yml', 'lefthook.yml', '.lefthook.yml', 'lefthook.yaml', '.overcommit.yml', '.huskyrc'],
  ['lefthook.toml', 'lefthook.json', 'lefthook-local.yml', '.lefthook-local.yml', '.simple-git-hooks.json', '.simple-git-hooks.js'],
  [
    '.tool-versions',
    'mise.toml',
    '.mise.toml',
    '.devcontainer.json',
    '.gitpod.yml',
    '.replit',
    '.bazelrc',
    '.pnp.cjs',
    '.pnp.loader.mjs',
    '.zuul.yaml',
  ],
  ['.mcp.json', '.curlrc', '.wgetrc', '.netrc', '.rsyncrc', '.screenrc', '.tmux.conf', 'rust-toolchain', 'rust-toolchain.toml'],
].flat();

const LATER = new Set([...LATER_FOLDERS, ...LATER_FILES]);
const LATER_PAIR = new Set(LATER_PAIRS);

const SECRET_FILES = new Set([
  '.env',
  '.envrc',
  '.npmrc',
  '.netrc',
  '_netrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.htpasswd',
  '.dockercfg',
  '.vault-token',
  '.credentials',
  '.boto',
  '.s3cfg',
  '.terraformrc',
  '.yarnrc.yml',
  '.token',
  '.mylogin.cnf',
  'wallet.dat',
  'secring.gpg',
]);
const SECRET_FOLDERS = new Set([
  '.ssh',
  '.aws',
  '.gnupg',
  '.kube',
  '.azure',
  '.docker',
  '.password-store',
  '.gcloud',
  '.terraform.d',
  '.oci',
]);
const SECRET_PAIRS = new Set([
  '.config/gcloud',
  '.config/gh',
  '.config/glab-cli',
  '.config/op',
  '.config/doctl',
  '.config/hub',
  '.config/rclone',
  '.local/keyrings',
  'share/keyrings',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
]);
const SECRET_ENDINGS =
  /\.(pem|key|p12|pfx|pkcs12|jks|keystore|kdbx?|ppk|asc|gpg|tfstate|tfvars|ovpn|mobileprovision|keytab)$|\.tfvars\.json$/;
const SECRET_SHAPES = [
  /^\.env[._-].+$/,
  /^.+\.env$/,
  /^id_[a-z0-9]+$/,
  /^env\.(local|prod|production|stag|staging|dev|development|test)$/,
  /^\.?credentials?(\.(json|ya?ml|toml|ini|xml|csv|txt|db|properties|cfg|conf))?(\.enc)?$/,
  /^\.?secrets?(\.(json|ya?ml|toml|ini|xml|txt|env|properties))?(\.enc)?$/,
  /^.+[-_.](credentials?|secrets?)\.(json|ya?ml|toml|ini|enc)$/,
  /^(pass(wd|words?)|tokens?|api[-_]?keys?)\.(txt|csv|ini|conf)$/,
  /^(.+[-_])?service[-_]?account.*\.json$/,
  /^firebase-adminsdk.*\.json$/,
  /^(gcp|gcloud|google)[-_]?.*keys?\.json$/,
  /^client_secrets?.*\.json$/,
  /^kubeconfig(\..+)?$/,
  /^\.[a-z0-9_]+_history$/,
  /\.tfstate\.backup$/,
];
/** Examples that are made to be read. */
const HARMLESS =
  /^\.?env[._-](example|sample|template|dist|defaults?|schema)$|^(example|sample|template)\.env$|\.(example|sample|template|dist)$/;

/** Folding changes nothing about these. */
const PLAIN = /^[a-z0-9._-]*[a-z0-9_-]$/;

export type Protection = 'git' | 'later';

/** Why a path below the workspace must not be written casually, whether or not it exists. */
export function protection(segments: readonly string[]): Protection | null {
  const names = segments.map(folded);
  if (names.includes('.git')) return 'git';
  return names.some((name) => LATER.has(name)) || hasPair(LATER_PAIR, names) ? 'later' : null;
}

/** Whether a path names a place where secrets are kept. */
export function isSecret(segments: readonly string[]): boolean {
  const names = segments.map(folded);
  const last = names.at(-1);
  if (last === undefined) return false;
  if (names.some((name) => SECRET_FOLDERS.has(name)) || hasPair(SECRET_PAIRS, names)) return true;
  if (HARMLESS.test(last)) return false;
  return SECRET_FILES.has(last) || SECRET_ENDINGS.test(last) || SECRET_SHAPES.some((shape) => shape.test(last));
}

function hasPair(pairs: ReadonlySet<string>, names: readonly string[]): boolean {
  return names.some((name, at) => at > 0 && pairs.has(`${names[at - 1] ?? ''}/${name}`));
}

/**
 * A name as other file systems see it: case folded, without trailing dots and blanks, streams and short names undone.
 */
function folded(segment: string): string {
  if (PLAIN.test(segment)) return segment;
  const name = (segment.normalize('NFKC').toLowerCase().split(':', 1)[0] ?? '').replace(/[. ]+$/, '');
  return name === 'git~1' ? '.git' : name;
}
