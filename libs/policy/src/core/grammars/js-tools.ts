import type { OptionSpec } from '../grammar/shapes.js';
import type { Grammar, ToolUse } from '../grammar/tool.js';

const PROJECT = ['project.code'] as const;

/** A tool that runs code or configuration of the workspace. */
function project(flags: string, options: Readonly<Record<string, OptionSpec>>, more: Partial<Grammar> = {}): Grammar {
  return { abbreviations: false, negations: true, rules: PROJECT, flags, options, operands: 'read*', about: '-v -V -h', ...more };
}

const TSC_BOOLEANS = `--all --allowArbitraryExtensions --allowImportingTsExtensions --allowJs --allowSyntheticDefaultImports
  --allowUmdGlobalAccess --allowUnreachableCode --allowUnusedLabels --alwaysStrict --assumeChangesOnlyAffectDirectDependencies --checkJs
  --clean --composite --declaration --declarationMap --diagnostics --disableReferencedProjectLoad --disableSizeLimit
  --disableSolutionSearching --disableSourceOfProjectReferenceRedirect --downlevelIteration --dry --emitBOM --emitDeclarationOnly
  --emitDecoratorMetadata --erasableSyntaxOnly --esModuleInterop --exactOptionalPropertyTypes --experimentalDecorators --explainFiles
  --extendedDiagnostics --force --forceConsistentCasingInFileNames --importHelpers --incremental --inlineSourceMap --inlineSources
  --isolatedDeclarations --isolatedModules --keyofStringsOnly --libReplacement --listEmittedFiles --listFiles --listFilesOnly --noCheck
  --noEmit --noEmitHelpers --noEmitOnError --noErrorTruncation --noFallthroughCasesInSwitch --noImplicitAny --noImplicitOverride
  --noImplicitReturns --noImplicitThis --noLib --noPropertyAccessFromIndexSignature --noResolve --noStrictGenericChecks
  --noUncheckedIndexedAccess --noUncheckedSideEffectImports --noUnusedLocals --noUnusedParameters --preserveConstEnums
  --preserveSymlinks --preserveValueImports --preserveWatchOutput --pretty --removeComments --resolveJsonModule
  --resolvePackageJsonExports --resolvePackageJsonImports --showConfig --singleThreaded --skipDefaultLibCheck --skipLibCheck --sourceMap --stopBuildOnErrors --strict
  --strictBindCallApply --strictBuiltinIteratorReturn --strictFunctionTypes --strictNullChecks --strictPropertyInitialization
  --stripInternal --suppressExcessPropertyErrors --suppressImplicitAnyIndexErrors --traceResolution --useDefineForClassFields
  --useUnknownInCatchVariables --verbatimModuleSyntax --verbose --watch -w -d -i --init -v -h -b --build`;

/** A word such as `@file` stands for the words in that file. */
function studyTsc(use: ToolUse): void {
  for (const text of use.texts()) if (text.startsWith('@') && use.path(text.slice(1), 'read') !== null) use.fire('operands.unseen', text);
}

const tsc: Grammar = project(
  TSC_BOOLEANS,
  {
    '-p --project': 'read',
    '-t --target': 'text',
    '-m --module': 'text',
    '--moduleResolution --moduleDetection --jsx --jsxFactory --jsxFragmentFactory --jsxImportSource --lib --newLine --charset': 'text',
    '--customConditions --moduleSuffixes --types --typeRoots --paths --plugins --locale --mapRoot --sourceRoot --ignoreDeprecations':
      'text',
    '--maxNodeModuleJsDepth --importsNotUsedAsValues --watchFile --watchDirectory --fallbackPolling --reactNamespace': 'text',
    '--excludeDirectories --excludeFiles': 'text',
    '--baseUrl --rootDir --rootDirs': 'list',
    '--outDir --declarationDir': 'write',
    '--outFile --out --tsBuildInfoFile --generateTrace --generateCpuProfile': 'write',
  },
  { study: studyTsc },
);

const eslint: Grammar = project(
  `--quiet --no-inline-config --report-unused-disable-directives --report-unused-inline-configs --no-eslintrc --no-ignore --stdin --color --no-color --debug
   --no-error-on-unmatched-pattern --exit-on-fatal-error --no-warn-ignored --pass-on-no-patterns --inspect-config --env-info --cache
   --fix-dry-run --stats --init --mcp --no-config-lookup --pass-on-unpruned-suppressions --suppress-all --prune-suppressions`,
  {
    '-c --config': 'execute',
    '--env': 'text',
    '--ext': 'text',
    '--global': 'text',
    '--parser --plugin': 'module',
    '--parser-options': 'text',
    '--rule': 'text',
    '--rulesdir': 'execute',
    '--resolve-plugins-relative-to': 'execute',
    '--fix': ['flag', 'write.workspace'],
    '--fix-type': 'text',
    '--ignore-path': 'read',
    '--ignore-pattern': 'text',
    '--stdin-filename': 'text',
    '--max-warnings': 'text',
    '-o --output-file': 'write',
    '-f --format': 'module',
    '--print-config': 'read',
    '--cache-file': 'write',
    '--cache-location': 'write',
    '--cache-strategy': 'text',
    '--flag': 'text',
    '--concurrency': 'text',
    '--suppressions-location': 'write',
    '--report-unused-disable-directives-severity': 'text',
    '--suppress-rule': 'text',
  },
  { abbreviations: true },
);

const prettier: Grammar = project(
  `-c --check -l --list-different -u --ignore-unknown --no-error-on-unmatched-pattern --no-config --no-editorconfig --no-color --color
   --no-plugin-search --semi --no-semi --single-quote --jsx-single-quote --no-bracket-spacing --bracket-same-line --jsx-bracket-same-line
   --use-tabs --single-attribute-per-line --vue-indent-script-and-style --insert-pragma --require-pragma --check-ignore-pragma --with-node-modules --cache
   --no-cache --support-info --experimental-ternaries --experimental-cli --no-parallel`,
  {
    '-w --write': ['flag', 'write.workspace'],
    '--config': 'execute',
    '--config-path': 'read',
    '--config-precedence': 'text',
    '--find-config-path --find-config-file --file-info': 'read',
    '--ignore-path': 'read',
    '--plugin --plugin-search-dir': 'module',
    '--parser': 'text',
    '--print-width': 'text',
    '--tab-width': 'text',
    '--trailing-comma --arrow-parens --quote-props --prose-wrap --end-of-line --html-whitespace-sensitivity': 'text',
    '--embedded-language-formatting --object-wrap --experimental-operator-position --log-level --loglevel --stdin-filepath': 'text',
    '--range-start --range-end --cursor-offset': 'text',
    '--cache-location': 'write',
    '--cache-strategy': 'text',
  },
);

const jest: Grammar = project(
  `--all --automock -b --bail --cache --changedFilesWithAncestor --ci --clearCache --clearMocks --collectCoverage --coverage --colors
   --debug --detectLeaks --detectOpenHandles --errorOnDeprecated -e --expand --findRelatedTests --forceExit --json --lastCommit --listTests --logHeapUsage
   --noStackTrace -o --onlyChanged --onlyFailures -f --openHandlesTimeout --passWithNoTests --randomize --resetMocks --resetModules --restoreMocks
   -i --runInBand --runTestsByPath --showConfig --showSeed --silent --skipFilter --testLocationInResults --useStderr -u --updateSnapshot
   --verbose --waitForFakes --watch --watchAll --watchman --workerThreads --no-cache --no-coverage --injectGlobals --init --noSnapshot`,
  {
    '-c --config': 'execute',
    '-t --testNamePattern': 'text',
    '-w --maxWorkers': 'text',
    '--env --testEnvironment --preset --reporters --resolver': 'module',
    '--changedSince --coverageProvider --coverageReporters --collectCoverageFrom --testEnvironmentOptions': 'text',
    '--ignoreProjects --maxConcurrency --moduleFileExtensions --notifyMode --seed --selectProjects': 'text',
    '--projects': 'list',
    '--shard --snapshotFormat --testMatch --testPathPattern --testPathPatterns --testPathIgnorePatterns --testRegex --testTimeout': 'text',
    '--coverageThreshold --coveragePathIgnorePatterns --globals --haste --moduleDirectories --moduleNameMapper --modulePathIgnorePatterns':
      'text',
    '--modulePaths --roots': 'list',
    '--runner --setupFiles --setupFilesAfterEach --setupFilesAfterEnv --snapshotSerializers --testResultsProcessor': 'module',
    '--testRunner --testSequencer --filter --globalSetup --globalTeardown --dependencyExtractor': 'module',
    '--transform --transformIgnorePatterns --unmockedModulePathPatterns --watchPathIgnorePatterns --workerIdleMemoryLimit': 'text',
    '--rootDir': 'folder',
    '--cacheDirectory --coverageDirectory --outputFile': 'write',
  },
  { operands: 'text*' },
);

const vitest: Grammar = project(
  `-u --update -w --watch --silent --hideSkippedTests --no-color --run --coverage
   --isolate --globals --dom --browser.headless --passWithNoTests --logHeapUsage --allowOnly --dangerouslyIgnoreUnhandledErrors --fileParallelism
   --no-file-parallelism --sequence.shuffle --typecheck --typecheck.only --cache --clearCache --clearScreen --standalone
   --expandSnapshotDiff --disableConsoleIntercept --printConsoleTrace --includeTaskLocation --changed --no-coverage --no-isolate --no-threads --single-thread
   --coverage.enabled --coverage.all --coverage.clean --filesOnly --color --retry --bail`,
  {
    '-c --config': 'execute',
    '--ui --open --api --inspect': ['text?', 'network.listen'],
    '-r --root': 'folder',
    '--dir': 'list',
    '-t --testNamePattern': 'text',
    '--reporter --environment': 'module',
    '--pool --mode --project --shard --exclude --maxWorkers --minWorkers --testTimeout --hookTimeout --teardownTimeout': 'text',
    '--coverage.provider --coverage.reporter --coverage.include --coverage.exclude --workspace --slowTestThreshold --maxConcurrency':
      'text',
    '--sequence.seed --poolOptions --diff --attachmentsDir --browser --browser.name --json --merge-reports': 'text?',
    '--outputFile --coverage.reportsDirectory': 'write',
    '--inspectBrk': ['text?', 'network.listen'],
  },
  { operands: 'text*' },
);

const bundler: Grammar = project(
  `-w --watch --minify --sourcemap --ssr --force -f --silent --verbose --open
   --strictPort --cors --debug --clearScreen --no-clearScreen --emptyOutDir --manifest --json --analyze --progress --prod --profile --stats --no-watch --turbo --turbopack`,
  {
    '-c --config': 'execute',
    '-m --mode': 'text',
    '--host': ['text?', 'network.listen'],
    '-p --port': 'text',
    '-l --logLevel': 'text',
    '--base --target --entry --env --configuration --format --project --browsers': 'text',
    '--outDir --out-dir -d -o --output-path --dist-dir': 'write',
    '--public-dir': 'read',
  },
  { operands: 'text*', rules: ['project.code'] },
);

const anyProject: Grammar = project('', {}, { operands: 'text*' });

/** Every option has its value behind `=`, or none. */
const esbuild: Grammar = project(
  `--bundle --minify --minify-whitespace --minify-identifiers --minify-syntax --splitting --keep-names --allow-overwrite --preserve-symlinks --analyze
   --inject-fix --ignore-annotations --lines`,
  {
    '--sourcemap --watch --analyze --jsx-dev --color --charset --tree-shaking --mangle-quoted --sources-content --source-root --drop --drop-labels':
      'text?',
    '--platform --format --target --external --loader --define --jsx --jsx-factory --jsx-fragment --jsx-import-source --global-name --packages':
      'text?',
    '--main-fields --conditions --resolve-extensions --public-path --entry-names --chunk-names --asset-names --legal-comments --log-level':
      'text?',
    '--log-limit --log-override --banner --footer --mangle-props --reserve-props --pure --supported --line-limit --tsconfig-raw --alias':
      'text?',
    '--inject': 'module?',
    '--tsconfig': 'read?',
    '--outfile --outdir --metafile --mangle-cache': 'write?',
    '--outbase --abs-working-dir --node-paths': 'list?',
    '--serve --servedir --certfile --keyfile --serve-fallback --cors-origin': ['text?', 'network.listen'],
  },
  { operands: 'read*' },
);

/** Tools of JavaScript projects; they run configuration and plug-ins of the workspace. */
export const JS_TOOLS: Readonly<Record<string, Grammar>> = {
  'tsc ngc vue-tsc': tsc,
  eslint,
  'prettier prettierd': prettier,
  jest,
  vitest,
  esbuild,
  'vite webpack rollup parcel tsup next nuxt astro ng nest remix rspack turbo nx lerna wireit': bundler,
  'mocha ava tap c8 nyc karma playwright cypress stylelint oxlint biome knip depcruise madge swc babel tsd cspell markdownlint commitlint':
    anyProject,
};

/** Names that a package runner may be trusted to find in the workspace rather than in a registry. */
export const LOCAL_JS_TOOLS: ReadonlySet<string> = new Set([
  'tsx',
  'ts-node',
  ...Object.keys(JS_TOOLS).flatMap((names) => names.split(' ')),
]);
