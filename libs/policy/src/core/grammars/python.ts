import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { nearest, showFile } from './project-files.js';
import { asksAbout, fromVerb } from './verbs.js';

/** Modules that stand for a tool with a grammar of its own. */
const MODULE_TOOLS: Readonly<Record<string, string>> = {
  pip: 'pip',
  pytest: 'pytest',
  'py.test': 'pytest',
  mypy: 'mypy',
  ruff: 'ruff',
  black: 'black',
  isort: 'isort',
  flake8: 'flake8',
  pylint: 'pylint',
  uv: 'uv',
  twine: 'twine',
  poetry: 'poetry',
  tox: 'tox',
  nox: 'nox',
  coverage: 'coverage',
  build: 'pyproject-build',
};
/** Modules of the standard library that work on the workspace like code of it. */
const ORDINARY_MODULES = new Set(
  `unittest doctest compileall py_compile json.tool ast tokenize tabnanny dis inspect pydoc venv virtualenv zipfile tarfile gzip calendar
   cProfile profile pstats trace tracemalloc timeit site sysconfig platform this`.split(/\s+/),
);

const OPTIONS: Readonly<Record<string, OptionSpec>> = {
  '-c': ['code', 'inline.code'],
  '-m': 'text',
  '-W': 'text',
  '-X': 'text',
  '-i': ['flag', 'interactive.tool'],
  '--check-hash-based-pycs': 'text',
};

/** A script, a module, program text, or the standard input. */
function studyPython(use: ToolUse): void {
  if (use.has('-c')) return;
  const module = use.value('-m');
  if (module !== null) return studyModule(use, module);
  const [file] = use.texts();
  if (file === undefined || file === '-') {
    use.fire('inline.stdin');
    use.analysis.takesCode('python');
    return;
  }
  use.path(file, 'execute');
}

/** The working folder comes first where modules are looked for, so any module may be code of the workspace. */
function studyModule(use: ToolUse, module: string): void {
  use.fire('project.code', `the module ${module}`);
  const tool = MODULE_TOOLS[module];
  const rest = use.texts();
  if (tool !== undefined) return use.innerWords([tool, ...rest]);
  if (
    /^(http\.server|pydoc|smtpd|xmlrpc\.server|wsgiref)/.test(module) &&
    (module !== 'pydoc' || rest.some((text) => /^-[pnb]/.test(text)))
  ) {
    rest.forEach((text, at) => {
      const folder = /^(?:-d|--directory)(?:=(.*))?$/s.exec(text);
      if (folder) use.path(folder[1] ?? rest[at + 1] ?? '.', 'folder');
    });
    return use.fire('network.listen', `python -m ${module}`);
  }
  if (/^(timeit|code|pdb|idlelib|asyncio|webbrowser|ftplib|telnetlib|smtplib|poplib|imaplib|nntplib|ensurepip|runpy)$/.test(module)) {
    return use.fire('inline.code', `python -m ${module}`);
  }
  if (ORDINARY_MODULES.has(module)) {
    for (const text of rest) if (!text.startsWith('-') && /[./]/.test(text)) use.path(text, 'write');
    return;
  }
  const path = module.split('.').join('/');
  const local = [`${path}.py`, `${path}/__main__.py`, `${path}/__init__.py`, `src/${path}/__main__.py`].some(
    (name) => nearest(use, name) !== null,
  );
  if (!local) use.fire('tool.unknown', `python -m ${module}`);
}

const python: Grammar = {
  style: 'posix',
  abbreviations: false,
  about: '-V -VV -h',
  flags: '-b -bb -B -d -E -I -O -OO -P -q -R -s -S -u -v -vv -x --help-env --help-xoptions --help-all',
  options: OPTIONS,
  lastOptions: '-c -m',
  operands: 'study',
  study: studyPython,
};

const PIP_INDEX: Readonly<Record<string, OptionSpec>> = {
  '-i --index-url --pypi-url --default-index --index': ['text', 'network.unclear'],
  '--extra-index-url': ['text', 'network.unclear'],
  '-f --find-links': ['text', 'network.unclear'],
  '--trusted-host': ['text', 'network.unclear'],
  '--proxy --cert --client-cert --use-deprecated --keyring-provider': ['text', 'network.unclear'],
};

const PIP_SHARED: Readonly<Record<string, OptionSpec>> = {
  ...PIP_INDEX,
  '--python': ['execute', 'project.code'],
  '--log': 'side',
  '--cache-dir': ['text', 'path.unclear'],
  '--exists-action --timeout --retries --format --exclude --platform --python-version --implementation --abi --only-binary --no-binary':
    'text',
  '--use-feature --progress-bar --report --upgrade-strategy --root-user-action --config-settings -C --global-option --build-option': 'text',
  '-r --requirement -c --constraint': 'read',
  '-e --editable': 'text',
  '--path': 'list',
  '-o --outdated': 'flag',
  '-u --uptodate': 'flag',
  '-t --target --prefix --root --src -d --dest -w --wheel-dir': 'write',
};

const PIP_FLAGS = `-q --quiet -v --verbose -qq -vv --no-input --disable-pip-version-check --no-color --isolated --require-virtualenv --no-cache-dir --debug
  -U --upgrade --user --no-deps --pre --force-reinstall -I --ignore-installed --no-build-isolation --use-pep517 --no-warn-script-location --require-hashes
  --no-compile --break-system-packages --dry-run -y --yes --no-clean --prefer-binary --no-index --check-build-dependencies --editable-only --not-required -l --local
  --all --exclude-editable --include-editable --files -h`;

const install: Grammar = {
  operands: 'text*',
  rules: ['packages.install'],
  study: (use) => {
    for (const text of [...use.texts(), ...use.values('-e')]) {
      if (/^(\.|\/|~)/.test(text)) {
        use.path(text.replace(/\[.*$/, ''), 'execute');
        showFile(use, 'setup.py');
      } else if (/:\/\/|^git\+/.test(text)) use.fire('packages.fetch-and-run', text);
    }
  },
};

const pip: Grammar = {
  shared: true,
  about: '-V -h',
  flags: PIP_FLAGS,
  options: PIP_SHARED,
  commands: {
    'list show freeze check help debug inspect': {
      operands: 'text*',
      study: (use) => {
        if (use.has('-o', '-u')) use.fire('network.connect', 'the package index');
      },
    },
    'install download wheel uninstall sync compile lock': install,
    'index search': { operands: 'text*', study: (use) => use.analysis.fire('network.connect', 'the package index') },
    config: { operands: 'text*', rules: ['project.settings'] },
    cache: { operands: 'text*', rules: ['packages.install'] },
    hash: { options: { '-a --algorithm': 'text' }, operands: 'read*' },
    completion: { flags: '--bash --zsh --fish', operands: 'text*' },
  },
};

const PYTEST_FLAGS = `-v -vv -vvv -q -qq -s -x -l -h --lf --last-failed --ff --failed-first --nf --new-first --sw --stepwise --sw-skip --stepwise-skip --co --collect-only
  --cache-clear --fixtures --funcargs --fixtures-per-test --markers --no-header --no-summary --exitfirst --showlocals --no-showlocals --verbose --quiet --strict-markers --strict-config --strict
  --runxfail --pyargs --noconftest --keep-duplicates --collect-in-virtualenv --doctest-modules --doctest-continue-on-failure --doctest-ignore-import-errors --setup-only --setup-show --setup-plan --continue-on-collection-errors
  --disable-warnings --disable-pytest-warnings --full-trace --no-cov --cov-branch --cov-append --benchmark-only --benchmark-skip --benchmark-disable --forked --asyncio-debug --random-order --xfail-tb --force-sugar --trace-config`;

const pytest: Grammar = {
  about: '-V',
  flags: PYTEST_FLAGS,
  options: {
    '-k --keyword': 'text',
    '-m': 'text',
    '-p': 'text',
    '-c --config-file': 'execute',
    '-o --override-ini': 'text',
    '-r': 'text',
    '-n --numprocesses --dist': 'text',
    '-W --pythonwarnings': 'text',
    '--tb --maxfail --durations --durations-min --color --code-highlight --capture --show-capture --import-mode --verbosity --assert --last-failed-no-failures':
      'text',
    '--ignore --ignore-glob --deselect --confcutdir --timeout --timeout-method --reruns --reruns-delay --cov-fail-under --cov-report --random-order-seed --seed':
      'text',
    '--asyncio-mode --log-level --log-format --log-date-format --log-cli-level --log-cli-format --log-file-level --log-disable --doctest-glob --doctest-report --junit-prefix --ds --dc --reuse-db':
      'text',
    '--cov': 'text?',
    '--cov-config': 'read',
    '--rootdir': 'folder',
    '--basetemp --junitxml --junit-xml --log-file --report-log --html --json-report-file': 'write',
    '--pastebin': ['text', 'network.upload'],
    '--pdb --trace': ['flag', 'interactive.tool'],
    '--debug': ['text?', 'write.unseen'],
    '--pdbcls': ['text', 'interactive.tool'],
  },
  rules: ['project.code'],
  operands: 'study',
  study: (use) => {
    showFile(use, 'conftest.py');
    for (const text of use.texts()) use.path(text.split('::', 1)[0] ?? text, 'list');
  },
};

/** Checkers and formatters: they read settings and plug-ins of the workspace and may rewrite files. */
const checker: Grammar = {
  style: 'none',
  operands: 'text*',
  study: (use) => {
    if (!asksAbout(use)) use.fire('project.code');
  },
};

const uv: Grammar = {
  shared: true,
  about: '-V -h',
  abbreviations: false,
  flags: `-q --quiet -v --verbose -n --no-cache --offline --no-progress --no-config --no-python-downloads --native-tls --preview --frozen --locked --no-sync --all-extras --dev --no-dev
    --no-project --active --exact --isolated --no-editable --all-packages --no-default-groups --refresh -U --upgrade --system --universal --all-groups --only-dev --check --dry-run --force --seed --allow-existing --clear --depth`,
  options: {
    ...PIP_SHARED,
    '--directory --project': 'folder',
    '-p --python': 'text',
    '--with --with-editable': 'text',
    '--extra --group --only-group --no-group --package --color --resolution --prerelease --link-mode --index-strategy --fork-strategy':
      'text',
    '--with-requirements --env-file': 'read',
    '--config-file': ['text', 'project.settings'],
    '-o --output-file --out-dir': 'write',
    '-m --module': ['text', 'project.code'],
    '--allow-insecure-host': ['text', 'network.unclear'],
    '-s --script --gui-script': 'flag',
  },
  commands: {
    run: {
      style: 'posix',
      rules: ['project.code'],
      operands: 'study',
      study: (use) => {
        if (use.has('--with', '--with-requirements')) use.fire('packages.fetch-and-run');
        const [first] = use.operands;
        if (!first || use.has('-m')) return;
        if (/\.pyw?$/.test(first.text) || first.text.includes('/')) use.path(first.text, 'execute');
        else use.inner(first.at);
      },
    },
    pip: {
      commands: { 'list show freeze check tree': { operands: 'text*' } },
      otherwise: { ...install, style: 'gnu' },
    },
    python: {
      commands: { 'list find dir': { flags: '--only-installed --all-versions --all-platforms', operands: 'text*' } },
      otherwise: { style: 'gnu', operands: 'text*', rules: ['packages.install'] },
    },
    tool: {
      commands: { 'list dir': { operands: 'text*' }, run: { style: 'posix', operands: 'text*', rules: ['packages.fetch-and-run'] } },
      otherwise: { style: 'gnu', operands: 'text*', rules: ['packages.install'] },
    },
    'sync lock add remove init build venv self export cache': {
      style: 'gnu',
      operands: 'text*',
      rules: ['packages.install'],
    },
    'publish auth login': { style: 'none', operands: 'text*', rules: ['network.upload'] },
    'tree version help': { operands: 'text*', rules: ['project.code'] },
    format: { operands: 'text*', rules: ['project.code', 'write.workspace'] },
  },
};

function otherLanguage(evalFlags: RegExp, about: RegExp): Grammar {
  return {
    style: 'none',
    operands: 'study',
    study: (use) => {
      const texts = use.texts();
      if (texts.length === 1 && about.test(texts[0] ?? '')) return;
      const inline = texts.findIndex((text) => evalFlags.test(text));
      const script = texts.findIndex((text) => !text.startsWith('-') && text !== '');
      if (inline >= 0 && (script < 0 || inline < script || inline === script - 1)) {
        for (const { at } of use.operands) use.message(at);
        return use.fire('inline.code');
      }
      if (script < 0) {
        use.fire('inline.stdin');
        use.analysis.takesCode(use.name);
        return;
      }
      for (const text of texts.slice(0, script)) use.fire('option.unknown', `${use.name} ${text}`);
      use.path(texts[script] ?? '', 'execute');
    },
  };
}

/** Python and its tools; other languages with an interpreter. */
export const PYTHON: Readonly<Record<string, Grammar>> = {
  'python python2 python3 pypy pypy3 py': python,
  'pip pip2 pip3 pipx-pip': pip,
  'pytest py.test': pytest,
  'mypy pyright pylint flake8 black isort ruff bandit tox nox coverage autopep8 yapf pyproject-build pre-commit sphinx-build mkdocs':
    checker,
  uv: uv,
  'uvx pipx': { style: 'none', operands: 'text*', rules: ['packages.fetch-and-run'] },
  'poetry pdm hatch pipenv conda mamba': {
    style: 'none',
    operands: 'study',
    study: (use) => {
      if (asksAbout(use)) return;
      const [verb = ''] = fromVerb(use);
      if (/^(publish|upload|login)$/.test(verb)) return use.fire('network.upload', `${use.name} ${verb}`);
      if (/^(run|test|build|check|show|version|env)$/.test(verb)) {
        use.fire('project.code', `${use.name} ${verb}`);
        if (verb === 'run') use.inner(use.argv.indexOf('run') + 1);
        return;
      }
      use.fire('packages.install', `${use.name} ${verb}`);
    },
  },
  'perl perl5': otherLanguage(/^-[a-zA-Z0-9]*[eE]/, /^(-v|--version|-h|--help)$/),
  'ruby jruby': otherLanguage(/^-[a-zA-Z]*e/, /^(-v|--version|-h|--help)$/),
  php: otherLanguage(/^-[rBRE]/, /^(-v|--version|-h|--help|-m|-i)$/),
  java: {
    style: 'none',
    operands: 'study',
    study: (use) => {
      const texts = use.texts();
      if (asksAbout(use) || /^-{1,2}(version|help)$/.test(texts.join(' '))) return;
      for (const text of texts) if (/^-(agent|javaagent|XX:On)/.test(text)) use.fire('exec.option', `java ${text}`);
      const jar = texts.includes('-jar') ? texts[texts.indexOf('-jar') + 1] : undefined;
      if (jar === undefined) use.fire('project.code', 'java');
      else use.path(jar, 'execute');
    },
  },
  'lua luajit tclsh julia R Rscript elixir erl groovy scala clojure ghci runghc ocaml swift raku': otherLanguage(
    /^-{1,2}(e|E|eval|r|c)/,
    /^(-v|--version|-V|-h|--help)$/,
  ),
};
