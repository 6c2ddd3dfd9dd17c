import eslint from '@eslint/js';
import angular from 'angular-eslint';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

const nodeGlobals = Object.fromEntries(
  [
    'process',
    'console',
    'performance',
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'clearInterval',
    'setImmediate',
    'fetch',
    'URL',
    'Buffer',
    'AbortController',
    'AbortSignal',
    'TextDecoder',
    'TextEncoder',
    'crypto',
    'atob',
    'btoa',
    'document',
    'window',
    'getComputedStyle',
    'localStorage',
    'HTMLElement',
    'navigator',
    'structuredClone',
    'globalThis',
    'location',
    'DOMException',
    'EventSource',
    'URLSearchParams',
    'innerWidth',
    'Response',
    'Request',
    'Headers',
    'queueMicrotask',
  ].map((name) => [name, 'readonly']),
);

const rules = {
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports', disallowTypeAnnotations: false }],
  '@typescript-eslint/switch-exhaustiveness-check': 'error',
  '@typescript-eslint/no-extraneous-class': 'off', // Nest modules are classes with a decorator and nothing else
  '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
  '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true }],
  '@typescript-eslint/unified-signatures': 'off',
  '@typescript-eslint/no-unsafe-class-instance-assignment': 'off', // Nest types its option objects as classes
  'no-control-regex': 'off', // this product looks for control characters
};

/** Reading the environment is platform's job; entry files hand it over. */
const noEnvironment = {
  'no-restricted-syntax': [
    'error',
    { selector: "MemberExpression[object.name='process'][property.name='env']", message: 'Settings come through readConfig of #platform.' },
  ],
};

const pureCore = {
  'no-restricted-globals': ['error', 'setTimeout', 'setInterval', 'fetch', 'performance'],
  'no-restricted-syntax': [
    'error',
    { selector: "MemberExpression[object.name='Date'][property.name='now']", message: 'core/ has no clock: take the time as an argument.' },
    { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'core/ has no clock: take the time as an argument.' },
    {
      selector: "MemberExpression[object.name='Math'][property.name='random']",
      message: 'core/ has no randomness: take it as an argument.',
    },
    { selector: "MemberExpression[object.name='process']", message: 'core/ knows no process.' },
  ],
};

export default defineConfig(
  { ignores: ['dist/**', 'coverage/**', '.angular/**', '.cache/**', 'node_modules/**', 'data/**', 'test-results/**'] },
  {
    files: ['**/*.mjs'],
    extends: [eslint.configs.recommended],
    languageOptions: { globals: nodeGlobals },
    rules: { 'no-control-regex': 'off' },
  },
  {
    files: ['apps/api/**/*.ts', 'libs/**/*.ts'],
    extends: [eslint.configs.recommended, ...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: ['./tsconfig.json'], tsconfigRootDir: import.meta.dirname } },
    rules: { ...rules, ...noEnvironment },
  },
  { files: ['libs/platform/src/read-config.ts'], rules: { 'no-restricted-syntax': 'off' } },
  // newId() gives the kind of id that its place asks for: the parameter is the point.
  { files: ['libs/platform/src/id.ts'], rules: { '@typescript-eslint/no-unnecessary-type-parameters': 'off' } },
  { files: ['libs/*/src/core/**/*.ts'], ignores: ['**/*.spec.ts'], rules: pureCore },
  {
    files: ['test/**/*.ts', '**/*.spec.ts'],
    extends: [eslint.configs.recommended, ...tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json', './apps/web/tsconfig.spec.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: { ...rules, 'no-restricted-syntax': 'off' },
  },
  {
    files: ['apps/web/**/*.ts'],
    extends: [eslint.configs.recommended, ...tseslint.configs.recommendedTypeChecked, ...angular.configs.tsRecommended],
    processor: angular.processInlineTemplates,
    languageOptions: { parserOptions: { project: ['./apps/web/tsconfig.spec.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...rules,
      '@angular-eslint/component-selector': ['error', { type: 'element', prefix: 'cs', style: 'kebab-case' }],
      '@angular-eslint/directive-selector': ['error', { type: 'attribute', prefix: 'cs', style: 'camelCase' }],
    },
  },
  { files: ['apps/web/**/*.html'], extends: [...angular.configs.templateRecommended, ...angular.configs.templateAccessibility] },
);
