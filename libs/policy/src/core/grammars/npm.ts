import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { TELLING_NAMES } from './forbidden.js';
import { LOCAL_JS_TOOLS } from './js-tools.js';
import { judgeShellText } from './shells.js';
import { hasScript, judgeNpmSettings, nearest, showHooks, showScript } from './project-files.js';

const FLAGS = `--silent -s --quiet -q -d -dd -ddd --verbose --json --parseable -p --long -l --all -a --color --no-color --progress --no-progress --if-present
  --workspaces -ws --include-workspace-root --ignore-scripts --no-audit --audit --no-fund --fund --no-update-notifier --update-notifier --offline
  --prefer-offline --prefer-online --dry-run --force -f --no-package-lock --package-lock --package-lock-only --no-save --save -S --save-dev -D
  --save-optional -O --save-exact -E --save-prod -P --save-peer --save-bundle -B --legacy-peer-deps --strict-peer-deps --production --only-prod
  --foreground-scripts --no-bin-links --unicode --timing --usage --no-optional --prefer-dedupe --read-only --expect-results --no-expect-results
  --no-git-tag-version --git-tag-version --allow-same-version --sign-git-tag --commit-hooks --no-commit-hooks --workspaces-update --no-workspaces-update --yes-no`;

const SHARED: Readonly<Record<string, OptionSpec>> = {
  '--prefix -C --dir': 'folder',
  '-w --workspace --filter -F': 'text',
  '--loglevel --reporter --tag --depth --omit --include --only --before --access --otp --auth-type --message -m --preid --pack-destination':
    'text',
  '--fetch-retries --fetch-timeout --maxsockets --install-strategy --lockfile-version --audit-level --diff --engine-strict --os --cpu --libc':
    'text',
  '-g --global --location': ['flag', 'path.outside'],
  '--registry --proxy --https-proxy --noproxy --ca --cafile --cert --key --strict-ssl --local-address': ['text', 'network.unclear'],
  '--no-strict-ssl': ['flag', 'network.unclear'],
  '--script-shell --shell --node-options --git --editor --viewer --browser --init-module --scripts-prepend-node-path': 'program',
  '--userconfig --globalconfig': ['read', 'project.settings'],
  '--cache --logs-dir --tmp --store-dir --global-dir --modules-dir --virtual-store-dir': ['write', 'path.unclear'],
  '--call -c': ['code', 'inline.code'],
  '-y --yes': 'flag',
};

const NPM: Pick<Grammar, 'flags' | 'options'> = { flags: FLAGS, options: SHARED };

/** A folder given by option counts for where settings and scripts are read. */
function folderOf(use: ToolUse): string | undefined {
  return use.path(use.value('--prefix') ?? '.', 'list') ?? undefined;
}

/** What is installed for the whole machine may be listed, not changed. */
function reads(): Grammar {
  return { operands: 'text*', options: { '-g --global --location': 'flag' } };
}

function connects(): Grammar {
  return { operands: 'text*', study: (use) => use.analysis.fire('network.connect', 'the package registry') };
}

/** Scripts of the workspace that an installation runs by itself. */
const INSTALL_HOOKS = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare', 'dependencies'];

function installs(): Grammar {
  return {
    operands: 'text*',
    rules: ['packages.install'],
    study: (use) => {
      const from = folderOf(use);
      judgeNpmSettings(use, from);
      if (!use.options.some(({ as }) => as === '--ignore-scripts')) showHooks(use, INSTALL_HOOKS, from);
      for (const text of use.texts()) {
        if (/^(git\+|git:|https?:|ssh:|github:|gitlab:|bitbucket:|gist:|file:.*\.\.|\.\.?\/|\/|~)/.test(text)) {
          if (/^(\.\.?\/|\/|~)/.test(text)) use.path(text, 'read');
          else if (/^https?:/.test(text)) use.analysis.host(text);
        }
      }
    },
  };
}

/** Runs scripts of `package.json`; words behind `--` are theirs. */
function script(name: string | null): Grammar {
  return {
    operands: 'text*',
    study: (use) => {
      const from = folderOf(use);
      judgeNpmSettings(use, from);
      const chosen = name ?? use.texts()[0];
      if (chosen === undefined) return; // lists the scripts
      showScript(use, chosen, from);
    },
  };
}

/**
 * A tool of the workspace, or a download that is run. Only a name that stands in `node_modules/.bin`, or that every
 * such project has, and no wish for another version, counts as a tool of the workspace.
 */
function studyRunner(use: ToolUse): void {
  judgeNpmSettings(use);
  for (const text of use.values('--call')) judgeShellText(use, text);
  if (use.has('--call')) return;
  const [tool] = use.operands;
  if (!tool) return use.has('-p') ? use.fire('packages.fetch-and-run') : use.fire('wrapper.empty');
  const local = nearest(use, `node_modules/.bin/${tool.text}`) !== null && !tool.text.includes('/');
  const offline = use.options.some(({ as }) => ['--no-install', '--no', '--offline'].includes(as));
  const fetches = use.has('-p') || (use.has('-y') && !local);
  const fetched = fetches || (!local && !offline && !LOCAL_JS_TOOLS.has(tool.text));
  if (fetched) use.fire('packages.fetch-and-run', `${use.name} ${tool.text}`);
  use.fire('project.code', tool.text);
  if (/^[./~]/.test(tool.text)) use.path(tool.text, 'execute');
  if (LOCAL_JS_TOOLS.has(tool.text) || TELLING_NAMES.has(tool.text)) use.inner(tool.at);
}

const runner: Grammar = {
  ...NPM,
  style: 'posix',
  abbreviations: false,
  flags: `${FLAGS} --no-install --no --quiet --ignore-existing --no-yes`,
  options: { ...SHARED, '-p --package': 'text', '--node-arg -n': 'program', '--shell-auto-fallback': 'flag' },
  operands: 'study',
  study: studyRunner,
};

const config: Grammar = {
  operands: 'text*',
  study: (use) => {
    const [verb = 'list'] = use.texts();
    const keys = use.texts().slice(1);
    const plain = verb === 'get' && keys.length > 0 && !keys.some((key) => /auth|token|password|secret|key|cert|^\/\//i.test(key));
    if (plain) return;
    if (/^(get|list|ls)$/.test(verb)) use.fire('path.secret', `${use.name} ${verb}`);
    else use.fire('project.settings', `${use.name} ${verb}`);
  },
};

const pkg: Grammar = {
  operands: 'text*',
  study: (use) => {
    if (use.texts()[0] !== 'get') use.path('package.json', 'write');
  },
};

const upload: Grammar = { style: 'none', operands: 'text*', rules: ['network.upload'] };
const account: Grammar = { style: 'none', operands: 'text*', rules: ['network.credential'] };

const init: Grammar = {
  operands: 'text*',
  study: (use) => {
    if (use.operands.length > 0) use.fire('packages.fetch-and-run');
    else use.path('package.json', 'write');
  },
};

const COMMANDS: Readonly<Record<string, Grammar>> = {
  'run run-script rum urn': script(null),
  'test t tst tes': script('test'),
  start: script('start'),
  stop: script('stop'),
  restart: script('restart'),
  'install i in ins inst insta instal isnt isnta isntal add': installs(),
  'ci clean-install ic install-clean isntall-clean cit install-ci-test it install-test': installs(),
  'update up upgrade udpate dedupe ddp uninstall unlink remove rm r un prune rebuild rb link ln import fetch': installs(),
  'ls list la ll': reads(),
  'root bin prefix explain why query get-licenses licenses licences completion': reads(),
  'help help-search fund': { operands: 'text*', study: (use) => judgeNpmSettings(use) },
  'view info show v outdated search find s se audit ping doctor repo docs home bugs issues stars diff sbom': connects(),
  'exec x': runner,
  'config c get set': config,
  pkg,
  'init create innit': init,
  version: {
    operands: 'text*',
    rules: ['project.code', 'write.workspace'],
    study: (use) => showHooks(use, ['preversion', 'version', 'postversion'], folderOf(use)),
  },
  'pack shrinkwrap': {
    operands: 'text*',
    rules: ['project.code', 'write.workspace'],
    study: (use) => showHooks(use, ['prepack', 'prepare', 'postpack'], folderOf(use)),
  },
  'publish unpublish deprecate undeprecate dist-tag': upload,
  'login adduser add-user logout token owner author access team org profile hook whoami star unstar trust': account,
  cache: { operands: 'text*', rules: ['packages.install'] },
  edit: { operands: 'text*', rules: ['interactive.tool'] },
  explore: { style: 'none', operands: 'text*', rules: ['inline.code'] },
};

const npm: Grammar = { ...NPM, about: '-v -h -l', shared: true, shortCommands: true, commands: COMMANDS };

/** A word that is no subcommand: a script, or a tool that is installed in the workspace. */
const scriptOrTool: Grammar = {
  style: 'none',
  operands: 'text*',
  study: (use) => {
    judgeNpmSettings(use);
    const name = use.name.slice(use.name.lastIndexOf(' ') + 1);
    if (nearest(use, `node_modules/.bin/${name}`) !== null || LOCAL_JS_TOOLS.has(name)) return use.fire('project.code', name);
    if (name.startsWith('-') || !hasScript(use, name)) return use.fire('subcommand.unknown');
    showScript(use, name);
  },
};

/** What `pnpm` has besides; a word that is no subcommand is a script or a tool of the workspace. */
const pnpm: Grammar = {
  ...npm,
  flags: `${FLAGS} -r --recursive --frozen-lockfile --no-frozen-lockfile --stream --aggregate-output --parallel --sequential --bail --no-bail
    --workspace-root --latest -L --interactive -i --shamefully-hoist --fix-lockfile --merge-git-branch-lockfiles --use-stderr --no-sort --sort --reverse --no-dev --prod --dev`,
  options: {
    ...SHARED,
    '-w': 'flag',
    '--workspace-concurrency --resume-from --changed-files-ignore-pattern --test-pattern --filter-prod --lockfile-dir --reporter': 'text',
    '--config': ['text', 'project.settings'],
    '--pnpmfile --global-pnpmfile': 'program',
  },
  shortCommands: false,
  otherwise: scriptOrTool,
  commands: {
    ...COMMANDS,
    dlx: { ...runner, rules: ['packages.fetch-and-run'] },
    'patch patch-commit patch-remove approve-builds ignored-builds self-update env setup server store deploy': {
      operands: 'text*',
      rules: ['packages.install'],
    },
  },
};

function yarnRule(use: ToolUse): void {
  use.fire('project.package-manager', 'yarn');
  use.analysis.effect('execute_project_code');
}

/** `yarn` loads its own code and plug-ins from the workspace before it looks at its words. */
const yarn: Grammar = {
  ...npm,
  always: yarnRule,
  shortCommands: false,
  otherwise: scriptOrTool,
  flags: `${FLAGS} --frozen-lockfile --immutable --immutable-cache --check-cache --non-interactive --ignore-engines --ignore-optional --ignore-platform
    --pure-lockfile --flat --har --check-files --mode --inline-builds --top-level -T --cached -W --ignore-workspace-root-check -A`,
  options: { ...SHARED, '--cwd': 'folder', '--modules-folder --cache-folder --mutex --network-timeout --network-concurrency': 'text' },
  commands: {
    ...COMMANDS,
    'dlx plugin set upgrade-interactive workspace workspaces node constraints stage patch patch-commit unplug up global policies': {
      operands: 'text*',
      rules: ['packages.fetch-and-run'],
    },
    npm: upload,
  },
};

/** Package managers of JavaScript. */
export const PACKAGE_MANAGERS: Readonly<Record<string, Grammar>> = {
  npm,
  pnpm,
  'yarn yarnpkg': yarn,
  npx: { ...runner, about: '-v -h' },
  'pnpx bunx': { ...runner, rules: ['packages.fetch-and-run'] },
  corepack: { style: 'none', operands: 'text*', rules: ['packages.install'] },
};
