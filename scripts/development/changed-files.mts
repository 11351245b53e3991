/** The changed files that each check of `npm run check` covers. Names are relative to the root of the checkout. */
export interface ChangedFiles {
  readonly all: readonly string[];
  /** Files covered by tsconfig.lint.json and ESLint. */
  readonly code: readonly string[];
  /** TypeScript that runs without a build: scripts, bench, chaos. */
  readonly scripts: readonly string[];
  /** Files of packages with unit tests. */
  readonly unit: readonly string[];
  /** Changed tests of scripts. */
  readonly scriptTests: readonly string[];
}

export function changedFiles(names: readonly string[]): ChangedFiles {
  const all = [...new Set(names)].sort();
  const scripts = all.filter((name) => name.endsWith('.mts'));
  return {
    all,
    code: all.filter((name) => /^(libs|services|e2e)\/.*\.ts$/.test(name)),
    scripts,
    unit: all.filter((name) => /^(libs|services)\/[^/]+\/src\/.*\.ts$/.test(name)),
    scriptTests: scripts.filter((name) => name.startsWith('scripts/') && name.endsWith('.test.mts')),
  };
}
