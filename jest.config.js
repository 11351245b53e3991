/**
 * Kinds of tests: unit (next to their file), integration (test/, real servers), e2e (from outside), chaos (e2e suites that kill, freeze and restart processes).
 * Files named `*.full.*` run in `npm run test:full`. TypeScript goes through swc; types are checked by `npm run lint`.
 */
const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: 'inline',
  swcrc: false,
};

const project = (displayName, roots, testMatch, setupFilesAfterEnv = []) => ({
  displayName,
  rootDir: __dirname,
  roots,
  testMatch,
  testEnvironment: 'node',
  setupFiles: ['reflect-metadata', '<rootDir>/scripts/testing/realm.cjs'],
  setupFilesAfterEnv,
  // What is built (dist/**/*.js) runs as it is.
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...(process.env.TEST_FULL === undefined ? ['\\.full\\.'] : [])],
});

const ofE2e = ['<rootDir>/e2e/wait-times.ts', '<rootDir>/e2e/documented/watch-fetch.ts'];

const packages = ['<rootDir>/libs', '<rootDir>/services'];

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project(
      'unit',
      [...packages, '<rootDir>/e2e'],
      ['<rootDir>/{libs,services}/*/src/**/*.test.ts', '<rootDir>/e2e/*/!(*.e2e).test.ts'],
    ),
    project('integration', packages, ['<rootDir>/{libs,services}/*/test/**/*.int.test.ts']),
    {
      ...project('e2e', ['<rootDir>/e2e'], ['<rootDir>/e2e/{,attacks/}*.e2e.test.ts'], ofE2e),
      globalSetup: '<rootDir>/e2e/start-shared.ts',
      globalTeardown: '<rootDir>/e2e/stop-shared.ts',
    },
    project('chaos', ['<rootDir>/e2e/chaos'], ['<rootDir>/e2e/chaos/*.e2e.test.ts'], ofE2e),
  ],
  // Ends what hangs; no test depends on it.
  testTimeout: 180_000,
  // A worker that holds more starts again after its file: six run at once in the integration stage.
  workerIdleMemoryLimit: '1GB',
};
