import angularPresets from 'jest-preset-angular/presets/index.js';

/** Source uses NodeNext ".js" specifiers; map relative ones back to the .ts file. */
const moduleNameMapper = { '^(\\.{1,2}/.*)\\.js$': '$1' };

/** Node projects: native ESM, decorators and metadata through SWC. */
const nodeProject = (displayName, roots, testRegex) => ({
  displayName,
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['development', 'node', 'node-addons'] },
  roots,
  testRegex,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/.cache/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper,
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
});

const angular = angularPresets.createEsmPreset({ tsconfig: '<rootDir>/apps/web/tsconfig.spec.json' });

export default {
  // A shared or busy machine is slow, not wrong; a test that hangs still ends.
  testTimeout: 60_000,
  projects: [
    nodeProject('unit', ['<rootDir>/apps/api', '<rootDir>/libs'], '\\.spec\\.ts$'),
    nodeProject('architecture', ['<rootDir>/test/architecture'], '\\.spec\\.ts$'),
    nodeProject('e2e', ['<rootDir>/test/e2e'], '\\.e2e\\.ts$'),
    {
      ...angular,
      displayName: 'web',
      testEnvironment: 'jest-preset-angular/environments/jest-jsdom-env',
      roots: ['<rootDir>/apps/web/src'],
      setupFilesAfterEnv: ['<rootDir>/apps/web/setup-jest.ts'],
      moduleNameMapper: {
        ...angular.moduleNameMapper,
        '^#contracts$': '<rootDir>/libs/contracts/src/index.ts',
        ...moduleNameMapper,
      },
    },
  ],
};
