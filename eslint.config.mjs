import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/** Rules that need types run over every TypeScript file that tsconfig.lint.json names; boundaries and cycles are dependency-cruiser's. */
const doubleAssertion = {
  selector: 'TSAsExpression > TSAsExpression > TSUnknownKeyword',
  message: 'a double assertion hides a type error.',
};

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      'proto/gen/**',
      'clients/typescript/src/generated/**',
      'clients/cli/src/generated/**',
      '.parley/**',
      'coverage/**',
      // Programs to copy, which belong to no project here.
      'examples/**',
      '**/*.js',
      '**/*.cjs',
      '**/*.mjs',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        projectService: false,
        project: [
          './tsconfig.lint.json',
          './scripts/tsconfig.json',
          './docs/.vitepress/tsconfig.json',
          './clients/*/tsconfig.json',
          './services/console/web/tsconfig.json',
        ],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: false }],
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { allowDefaultCaseForExhaustiveSwitch: false, considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/unbound-method': 'off',
      'no-control-regex': 'off',
      'no-console': 'error',
      'no-restricted-syntax': ['error', doubleAssertion],
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
    },
  },
  {
    // `xOf(y)` reads or computes x from y. What waits for something is named by a verb: find, load, fetch, resolve.
    files: ['libs/*/src/**/*.ts', 'services/*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        doubleAssertion,
        ...[
          'FunctionDeclaration[async=true] > Identifier.id',
          'VariableDeclarator[init.async=true] > Identifier.id',
          'MethodDefinition[value.async=true] > Identifier.key',
        ].map((selector) => ({
          selector: `${selector}[name=/^(?!(erase|find|insert|keep|lock|note|report|revoke|wake)[A-Z])[a-z][A-Za-z]*Of$/]`,
          message: 'An asynchronous function is named by a verb, such as findX or loadX.',
        })),
        {
          // The composition root and the handlers know all of it, as `WholeTelephony`.
          selector:
            ':not(TSTypeReference[typeName.name="Pick"] > TSTypeParameterInstantiation, TSIndexedAccessType, TSTypeAliasDeclaration[id.name="WholeTelephony"] > TSIntersectionType) > TSTypeReference[typeName.name="Telephony"]',
          message: "Take the members that you use: Pick<Telephony, 'db' | 'clock'>.",
        },
      ],
    },
  },
  {
    files: ['**/*.test.ts', 'e2e/**', 'bench/**', 'chaos/**', 'libs/testing/**'],
    rules: {
      'max-lines': ['error', { max: 500, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    // A navigation, and a cache that is read again, fail where they are shown.
    files: ['services/console/web/**'],
    rules: { '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }] },
  },
  {
    files: ['scripts/**', 'bench/**', 'chaos/**', 'services/*/src/main.ts', 'clients/cli/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Where the program that uses the SDK does not listen itself.
    files: ['clients/typescript/src/warnings.ts'],
    rules: { 'no-console': ['error', { allow: ['warn'] }] },
  },
);
