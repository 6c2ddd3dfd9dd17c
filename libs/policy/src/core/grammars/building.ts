import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import type { RuleId } from '../rules.js';
import { shown } from '../display.js';
import { contentOf, nearest, showFile, showText } from './project-files.js';

/** A file of the workspace chooses which compiler the wrapper of the machine starts, even for `--version`. */
function judgeToolchain(use: ToolUse): void {
  for (const name of ['rust-toolchain', 'rust-toolchain.toml']) {
    if (nearest(use, name) !== null) use.fire('project.settings', name);
  }
  const [first] = use.argv.slice(1);
  if (first?.startsWith('+') === true) use.fire('project.settings', first);
}

const CARGO_FLAGS = `-q --quiet -v --verbose -vv --locked --offline --frozen --release -r --all-features --no-default-features --workspace --all --lib --bins
  --examples --tests --benches --all-targets --doc --no-run --no-fail-fast --keep-going --future-incompat-report --ignore-rust-version --unit-graph --build-plan
  --no-deps --document-private-items --open --fix --allow-dirty --allow-staged --allow-no-vcs --broken-code --edition --edition-idioms --check --timings
  --dry-run -n --list --vcs --bin --no-dedupe -i --duplicates -d --aggressive --recursive`;

const CARGO: Readonly<Record<string, OptionSpec>> = {
  '-p --package --exclude': 'text',
  '-F --features': 'text',
  '-j --jobs': 'text',
  '--profile --target --message-format --color --example --test --bench --bin': 'text',
  '--target-dir --artifact-dir --out-dir': 'write',
  '--manifest-path --lockfile-path': 'execute',
  '--config': ['text', 'exec.option'],
  '-Z': ['text', 'project.settings'],
  '-C': 'folder',
  '--timings': 'text?',
  '--depth --prefix --charset --format -e --edges --invert --prune --filter-platform --format-version': 'text',
};

function build(): Grammar {
  return { operands: 'text*', rules: ['project.code'], study: (use) => showFile(use, 'build.rs') };
}

const fetches: Grammar = {
  style: 'gnu',
  flags:
    '--dev --build --optional --no-optional --default-features --no-track --debug --dry-run --git --force --index --precise --breaking -f',
  options: {
    '--root': 'write',
    '--path': 'execute',
    '--git --branch --tag --rev --version --vers --rename --index --registry --precise --limit --kind --base': 'text',
  },
  operands: 'text*',
  rules: ['packages.install'],
};
const uploads: Grammar = { style: 'none', operands: 'text*', rules: ['network.upload'] };
const access: Grammar = { style: 'none', operands: 'text*', rules: ['network.credential'] };

const cargo: Grammar = {
  shared: true,
  abbreviations: false,
  about: '-V -h',
  always: judgeToolchain,
  flags: CARGO_FLAGS,
  options: CARGO,
  commands: {
    'build b check c test t bench doc d run r rustc rustdoc clippy fix fmt clean metadata tree pkgid verify-project locate-project nextest expand llvm-cov miri tarpaulin audit-build':
      build(),
    'add remove rm update fetch install uninstall vendor search info generate-lockfile outdated upgrade audit deny binstall': fetches,
    'publish yank package': uploads,
    'login logout owner': access,
    'new init': {
      operands: 'write?',
      flags: '--lib --bin',
      options: { '--name --edition --vcs --registry': 'text' },
      rules: ['write.workspace'],
    },
    'help version': { operands: 'text*' },
  },
};

const GO_BUILD: Readonly<Record<string, OptionSpec>> = {
  '-o': 'write',
  '-C': 'folder',
  '-p -tags -mod -buildmode -covermode -coverpkg -gcflags -asmflags -installsuffix -run -bench -benchtime -count -cpu -timeout -shuffle -skip -parallel -list -vet -fuzz -fuzztime -fuzzminimizetime -blockprofilerate -mutexprofilefraction -memprofilerate':
    'text',
  '-f -json -u -deps -buildvcs -fix -diff': 'flag',
  '-ldflags': ['text', 'project.settings'],
  '-toolexec -exec -vettool': ['text', 'exec.wrapped'],
  '-overlay': ['read', 'project.settings'],
  '-modfile -pgo': 'read',
  '-coverprofile -cpuprofile -memprofile -blockprofile -mutexprofile -trace -outputdir': 'write',
  '-compiler -gccgoflags -pkgdir': ['text', 'project.settings'],
};

const GO_FLAGS =
  '-a -n -race -msan -asan -v -work -x -cover -linkshared -modcacherw -trimpath -i -short -failfast -benchmem -fullpath -artifacts -test -e -find -compiled -m -versions -retracted -reuse -all -c -h -cmd -src';

function go(operands = 'text*', rules: readonly RuleId[] = ['project.code'], study: (use: ToolUse) => void = studyGo): Grammar {
  return { style: 'go', flags: GO_FLAGS, options: GO_BUILD, operands, rules, study };
}

/** Packages by path, as `./...` or by file; all other words name packages. */
function studyGo(use: ToolUse): void {
  for (const text of use.texts()) if (/^[./~]|\.go$/.test(text)) use.path(text.replace(/\/?\.\.\.$/, '') || '.', 'list');
}

/** The first word is what runs; the others belong to it. */
function studyGoRun(use: ToolUse): void {
  const [target = '.'] = use.texts();
  if (/^[./~]|\.go$/.test(target)) use.path(target, 'execute');
  else if (/@|:\/\/|^[\w-]+\.[\w.-]+\//.test(target)) use.fire('packages.fetch-and-run', `go run ${target}`);
}

const golang: Grammar = {
  style: 'go',
  options: { '-C': 'folder' },
  commands: {
    'build test vet list fix clean': go(),
    run: go('text*', ['project.code'], studyGoRun),
    'generate tool': go(),
    fmt: go('text*', ['project.code', 'write.workspace']),
    doc: go(),
    'get install': go('text*', ['packages.install']),
    mod: {
      style: 'go',
      commands: {
        'tidy download vendor': go('text*', ['packages.install']),
        'verify graph why': go(),
        'edit init': go('text*', ['write.workspace']),
      },
    },
    work: { style: 'none', operands: 'text*', rules: ['project.code', 'write.workspace'] },
    env: {
      style: 'go',
      flags: '-json -changed',
      options: { '-w': ['flag', 'project.settings'], '-u': ['flag', 'project.settings'] },
      operands: 'text*',
    },
    version: { style: 'go', flags: '-m -v', operands: 'read*' },
    help: { style: 'go', operands: 'text*' },
    telemetry: { style: 'none', operands: 'text*', rules: ['network.upload'] },
  },
};

/** Shows an approver the recipe of the first target, as far as the text of the build file tells. */
function showRecipe(use: ToolUse): void {
  let from = use.context.cwd;
  for (const folder of use.values('-C')) from = use.path(folder, 'folder', from) ?? from;
  const named = use.values('-f');
  for (const file of named) use.path(file, 'execute', from);
  if (named.includes('-')) {
    use.fire('inline.stdin', 'make -f -');
    use.analysis.takesCode('make');
  }
  const path =
    named.length > 0
      ? null
      : ['GNUmakefile', 'makefile', 'Makefile'].map((name) => `${from}/${name}`).find((name) => use.context.look.lstat(name));
  if (path === undefined) return use.fire('project.build-file', 'no build file was found');
  if (path === null) return use.fire('project.build-file', named.join(', '));
  use.path(path, 'execute');
  const goals = use.texts().filter((text) => !text.includes('='));
  const lines = recipesOf(contentOf(use, path) ?? '', goals);
  if (lines.length > 0) showText(use, goals[0] ?? 'the first target', path, lines.join('\n'));
  const recipes = lines.join('; ');
  use.analysis.say(
    'project.build-file',
    `It runs whatever the build file says, even for a dry run: ${shown(recipes || (goals[0] ?? 'the first target'), 400)}`,
  );
}

const MAX_TARGETS = 12;
const RULE_LINE = /^([^\s#:=][^:=]*?)\s*::?(?!=)\s*([^;#]*)/;

/** Recipes of the goals and of what they need first, in the order of running, as far as plain text tells. */
function recipesOf(text: string, goals: readonly string[]): readonly string[] {
  const lines = text.split(/\r?\n/);
  const first = lines.map((line) => RULE_LINE.exec(line)?.[1]).find((names) => names !== undefined && !names.startsWith('.'));
  const pending = goals.length > 0 ? [...goals] : [first?.split(/\s+/, 1)[0] ?? ''];
  const seen = new Set<string>();
  const told: string[][] = [];
  for (let goal = pending.pop(); goal !== undefined && seen.size < MAX_TARGETS; goal = pending.pop()) {
    if (goal === '' || seen.has(goal)) continue;
    seen.add(goal);
    for (const [at, line] of lines.entries()) {
      const [, names = '', needs = ''] = RULE_LINE.exec(line) ?? [];
      if (!names.split(/\s+/).includes(goal)) continue;
      pending.push(...needs.split(/\s+/).filter((need) => need !== '' && need !== '|'));
      const recipe = recipeBelow(lines, at);
      if (recipe.length > 0) told.unshift([...recipe]);
    }
  }
  return told.flat();
}

function recipeBelow(lines: readonly string[], at: number): readonly string[] {
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => !line.startsWith('\t'));
  return rest.slice(0, end < 0 ? rest.length : end).map((line) => line.trim());
}

function studyMake(use: ToolUse): void {
  for (const { text } of use.operands) {
    const [name = '', ...value] = text.split('=');
    if (value.length === 0) continue;
    if (/^(SHELL|MAKEFLAGS|MAKEFILES|\.SHELLFLAGS)[:+?]?$/.test(name)) use.fire('exec.option', `make ${text}`);
    else if (/[$`]/.test(value.join('='))) use.fire('inline.code', `make ${text}`);
  }
  showRecipe(use);
}

const make: Grammar = {
  flags: `-b -m -B --always-make -d -e --environment-overrides -i --ignore-errors -k --keep-going -L --check-symlink-times -n --just-print --dry-run --recon
    -p --print-data-base -q --question -r --no-builtin-rules -R --no-builtin-variables -s --silent --quiet --no-silent -S --no-keep-going --stop -t
    --touch --trace -w --print-directory --no-print-directory --warn-undefined-variables -h -v`,
  about: '-v -h',
  options: {
    '-C --directory': 'text',
    '-f --file --makefile': 'text',
    '-I --include-dir': 'folder',
    '-j --jobs': 'text?',
    '-l --load-average --max-load': 'text?',
    '-o --old-file --assume-old -W --what-if --new-file --assume-new': 'text',
    '-O --output-sync': 'text?',
    '--debug --shuffle': 'text?',
    '-E --eval': ['text', 'exec.option'],
    '--jobserver-auth --jobserver-style --sync-mutex': ['text', 'option.unknown'],
  },
  operands: 'text*',
  study: studyMake,
};

const compiler: Grammar = {
  style: 'none',
  operands: 'study',
  study: (use) => {
    const texts = use.texts();
    if (texts.length === 1 && /^(--version|-v|--help|-dumpversion|-dumpmachine|-V)$/.test(texts[0] ?? '')) return;
    for (const text of texts) {
      if (/^-+(wrapper|specs|fplugin|B|fuse-ld|load|Xclang|J-)/.test(text) || /^@/.test(text) || /^-Wl,.*(plugin)/.test(text))
        use.fire('exec.option', `${use.name} ${text}`);
      else if (!text.startsWith('-') && /[./]/.test(text)) use.path(text, 'read');
      else if (/^-[ILo]./.test(text)) use.path(text.slice(2), text.startsWith('-o') ? 'write' : 'list');
    }
    const output = texts.indexOf('-o');
    if (output >= 0) use.path(texts[output + 1] ?? '', 'write');
    else use.fire('write.workspace', 'the result of compiling');
    use.fire('project.code', use.name);
  },
};

/** Tools that build and test whole projects by a file of the workspace. */
const projectBuild: Grammar = {
  style: 'none',
  operands: 'text*',
  study: (use) => {
    const texts = use.texts();
    if (texts.length === 1 && /^(--version|-version|-v|-V|--help|-h|version|help)$/.test(texts[0] ?? '')) return;
    use.fire('project.build-file', use.name);
    const verb = texts.findIndex((text) => !text.startsWith('-'));
    const behind = use.operands[verb + 1];
    if (use.name === 'bundle' && texts[verb] === 'exec' && behind) use.inner(behind.at);
    if (texts.some((text) => /^(publish|deploy|release|push|upload)/.test(text)))
      use.fire('network.upload', `${use.name} ${texts.join(' ')}`);
  },
};

/** Compilers and build tools. */
export const BUILDING: Readonly<Record<string, Grammar>> = {
  cargo,
  'rustc rustfmt': { style: 'none', operands: 'text*', rules: ['project.code'], always: judgeToolchain },
  rustup: { style: 'none', operands: 'text*', rules: ['packages.install'] },
  go: golang,
  gofmt: {
    style: 'go',
    flags: '-d -e -s',
    options: { '-l': 'flag', '-w': ['flag', 'write.workspace'], '-r': 'text', '-cpuprofile': 'side' },
    operands: 'read*',
  },
  'make gmake': make,
  'gcc g++ cc c++ clang clang++ tcc javac kotlinc scalac ghc ocamlfind nvcc ld as ar ranlib strip objcopy': compiler,
  'mvn mvnw gradle gradlew ant sbt bazel bazelisk buck2 cmake ctest ninja meson scons rake bundle bundler gem composer dotnet msbuild xcodebuild swiftc mix rebar3 stack cabal just task mage earthly tilt skaffold terraform tofu pulumi packer':
    projectBuild,
};
