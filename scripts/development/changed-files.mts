/** What each check of `npm run check` looks at, of the files that changed. Names are relative to the root of the checkout. */
export interface ChangedFiles {
  readonly all: readonly string[];
  /** What tsconfig.lint.json and ESLint cover. */
  readonly code: readonly string[];
  /** TypeScript that runs without being built: scripts, bench, chaos. */
  readonly scripts: readonly string[];
  /** Files whose dependents have unit tests. */
  readonly unit: readonly string[];
  /** Tests of scripts, themselves changed. */
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
