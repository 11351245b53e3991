/** Lints docs/openapi.json with the public linter's recommended rules; part of npm run lint. */
import path from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';

const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The examples are bodies that tests received.
    'no-invalid-media-type-examples': 'error',
    // Errors of routes that are still to come, and those of paths that do not exist.
    'no-unused-components': 'off',
  },
});
const problems = await lint({ ref: path.resolve(import.meta.dirname, '../docs/openapi.json'), config });
for (const { severity, ruleId, message, location } of problems) {
  console.log(`${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? '#'}`);
}
process.exit(problems.some(({ severity }) => severity === 'error') ? 1 : 0);
