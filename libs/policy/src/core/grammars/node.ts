import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';
import { showScript } from './project-files.js';
import { asksAbout, fromVerb } from './verbs.js';

const INSPECT: OptionSpec = ['text?', 'network.listen'];

const OPTIONS: Readonly<Record<string, OptionSpec>> = {
  '-e --eval': ['code', 'inline.code'],
  '-p --print': ['code?', 'inline.code'],
  '-pe': ['code', 'inline.code'],
  '-i --interactive': ['flag', 'interactive.tool'],
  '-r --require': 'text',
  '--import': 'text',
  '--loader --experimental-loader': 'text',
  '-c --check': 'flag',
  '-C --conditions': 'text',
  '--env-file --env-file-if-exists': 'read',
  '--input-type': 'text',
  '--experimental-default-type': 'text',
  '--run': 'text',
  '--test': 'flag',
  '--test-name-pattern --test-skip-pattern --test-reporter --test-shard --test-concurrency --test-timeout --test-isolation': 'text',
  '--test-coverage-include --test-coverage-exclude --test-coverage-lines --test-coverage-branches --test-coverage-functions': 'text',
  '--test-reporter-destination': 'write',
  '--test-global-setup': 'execute',
  '--test-random-seed --test-tag-filter --experimental-test-tag-filter --disable-proto --max-old-space-size-percentage --cpu-prof-interval --heap-prof-interval':
    'text',
  '--heapsnapshot-near-heap-limit --heapsnapshot-signal --report-signal --watch-kill-signal --network-family-autoselection-attempt-timeout --tls-cipher-list':
    'text',
  '--test-rerun-failures --report-filename --report-dir': 'side',
  '--watch-path': 'list',
  '--stack-trace-limit --max-old-space-size --max-semi-space-size --max-http-header-size --unhandled-rejections --title': 'text',
  '--dns-result-order --disable-warning --trace-event-categories --stack-size --v8-pool-size --secure-heap': 'text',
  '--inspect --inspect-brk --inspect-wait --inspect-port --debug-port': INSPECT,
  '--allow-fs-read --allow-fs-write --localstorage-file': 'text',
  '--cpu-prof-dir --heap-prof-dir --diagnostic-dir --report-directory --redirect-warnings --trace-event-file-pattern --cpu-prof-name --heap-prof-name':
    'side',
  '--icu-data-dir --openssl-config --snapshot-blob --build-snapshot-config': ['read', 'option.unknown'],
  '--tls-keylog': 'side',
};

/** A script, program text, or the standard input. */
function studyNode(use: ToolUse): void {
  for (const preload of use.values('-r', '--import', '--loader')) {
    if (/^[./]/.test(preload)) use.path(preload, 'execute');
    else if (!/^(node:|data:)/.test(preload)) use.fire('project.code', preload);
    else if (preload.startsWith('data:')) use.fire('inline.code');
  }
  const script = use.value('--run');
  if (script !== null) return showScript(use, script);
  if (use.has('-e', '-p', '-pe')) {
    // `-p` may be followed by its text as an operand.
    const [text] = use.operands;
    if (use.has('-p') && text) use.message(text.at);
    return;
  }
  if (use.has('--test')) return use.fire('project.code', 'node --test');
  const [file] = use.texts();
  if (file === undefined || file === '-') {
    use.fire('inline.stdin');
    use.analysis.takesCode('node');
    return;
  }
  if (file === 'inspect' || file === 'debug') return use.fire('interactive.tool', 'node inspect');
  use.path(file, use.has('-c') ? 'read' : 'execute');
}

const node: Grammar = {
  style: 'posix',
  abbreviations: false,
  about: '-v -h --v8-options',
  flags: `--no-warnings --no-deprecation --trace-deprecation --trace-warnings --trace-uncaught --trace-exit --throw-deprecation --enable-source-maps
    --pending-deprecation --preserve-symlinks --preserve-symlinks-main --expose-gc --harmony --use-strict --zero-fill-buffers --abort-on-uncaught-exception
    --experimental-vm-modules --experimental-strip-types --no-experimental-strip-types --experimental-transform-types --experimental-sqlite --no-experimental-sqlite
    --experimental-wasm-modules --experimental-permission --permission --experimental-test-coverage --experimental-test-module-mocks --experimental-import-meta-resolve
    --experimental-detect-module --experimental-require-module --no-experimental-require-module --experimental-websocket --experimental-eventsource
    --experimental-json-modules --experimental-specifier-resolution --experimental-global-navigator --experimental-worker --experimental-webstorage --no-experimental-webstorage
    --experimental-print-required-tla --allow-worker --allow-addons --test-only --test-force-exit --test-update-snapshots --watch --watch-preserve-output
    --cpu-prof --heap-prof --prof --trace-gc --trace-sync-io --no-addons --no-global-search-paths --frozen-intrinsics --use-openssl-ca
    --use-bundled-ca --use-system-ca --no-network-family-autoselection --verify-base-objects --insecure-http-parser --entry-url --optimize-for-size
    --no-opt --max-lazy --single-threaded --jitless --interpreted-frames-native-stack --experimental-inspector-network-resource --allow-child-process
    --test-randomize --disable-sigusr1 --disallow-code-generation-from-strings --openssl-legacy-provider --openssl-shared-config --permission-audit
    --report-exclude-env --report-exclude-network --report-on-signal --no-strip-types --no-require-module --no-experimental-detect-module --trace-promises --trace-sigint
    --trace-tls --trace-env --no-async-context-frame --use-env-proxy --no-experimental-repl-await --no-experimental-global-navigator
    --no-experimental-websocket --tls-min-v1.2 --tls-min-v1.3 --tls-max-v1.2 --tls-max-v1.3
    --report-on-fatalerror --report-uncaught-exception --report-compact --track-heap-objects --force-context-aware`,
  options: OPTIONS,
  lastOptions: '--run',
  operands: 'study',
  study: studyNode,
};

const tsx: Grammar = {
  ...node,
  flags: `${node.flags ?? ''} --no-cache --clear-screen -T --transpile-only --transpileOnly --esm --files --swc -s --script-mode --log-error --typeCheck`,
  options: { ...OPTIONS, '--tsconfig -P --project': 'read', '-O --compilerOptions': 'text', '--ignore --include --exclude': 'text' },
};

function runner(run: string, install: string): Grammar {
  return {
    style: 'none',
    operands: 'study',
    study: (use) => {
      if (asksAbout(use)) return;
      const inline = use.texts().some((text) => /^(-e|--eval|-p|--print)$/.test(text));
      const [verb = '', target] = inline ? ['eval'] : fromVerb(use);
      if (/^(types|info|doc)$/.test(verb)) return;
      if (/^(eval|repl|exec)$/.test(verb)) {
        for (const { at } of use.operands) use.message(at);
        return use.fire('inline.code');
      }
      if (new RegExp(`^(${install})$`).test(verb)) return use.fire('packages.install', `${use.name} ${verb}`);
      if (/^(publish|login|deploy|upgrade|update-self)$/.test(verb)) return use.fire('network.upload', `${use.name} ${verb}`);
      if (verb === '' || verb === '-') {
        use.fire('inline.stdin');
        use.analysis.takesCode(use.name);
        return;
      }
      if (new RegExp(`^(${run})$`).test(verb)) {
        if (/(^|\s)(https?:|jsr:|npm:|data:)/.test(use.texts().join(' ')))
          use.fire('packages.fetch-and-run', `${use.name} ${target ?? ''}`);
        const file = use
          .texts()
          .slice(1)
          .find((text) => !text.startsWith('-'));
        if (file !== undefined && /[./]/.test(file) && !/^(https?|jsr|npm|data):/.test(file)) use.path(file, 'execute');
        return use.fire('project.code', `${use.name} ${verb}`);
      }
      if (/\.[cm]?[jt]sx?$/.test(verb)) return void use.path(verb, 'execute');
      use.fire('subcommand.unknown', `${use.name} ${verb}`);
    },
  };
}

/** Runtimes of JavaScript. */
export const NODE: Readonly<Record<string, Grammar>> = {
  'node nodejs': node,
  'tsx ts-node': tsx,
  deno: runner(
    'run|test|bench|check|fmt|lint|task|compile|coverage|serve|bundle',
    'install|i|add|cache|remove|uninstall|outdated|update|init|jupyter|vendor',
  ),
  bun: runner('run|test|build|bunx-local', 'install|i|add|a|remove|rm|update|link|unlink|create|init|x|pm|outdated|patch|audit'),
};
