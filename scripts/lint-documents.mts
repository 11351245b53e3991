/** Lints docs/openapi.json and docs/asyncapi.json with the recommended rules of two public linters; a warning fails too. Part of npm run lint. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const docs = path.resolve(import.meta.dirname, '../docs');
const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The examples are bodies that tests send and receive.
    'no-invalid-media-type-examples': 'error',
    // Errors of routes that are still to come, and those of paths that do not exist.
    'no-unused-components': 'off',
  },
});
const problems = (await lint({ ref: path.join(docs, 'openapi.json'), config })).map(
  ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? '#'}`,
);

// The packages of one linter disagree about the type.
const recommended: unknown = [rulesets.oas, rulesets.asyncapi];
const spectral = new spectralCore.Spectral();
spectral.setRuleset({
  extends: recommended as RulesetDefinition[],
  rules: {
    // An installation has its own contact.
    'info-contact': 'off',
    'asyncapi-info-contact': 'off',
    // It knows scopes of OAuth alone; OpenAPI 3.1 has them for every scheme.
    'oas3-operation-security-defined': 'off',
    // As above.
    'oas3-unused-component': 'off',
    // Generators support 3.0.
    'asyncapi-latest-version': 'off',
  },
});
for (const name of ['openapi.json', 'asyncapi.json']) {
  const found = await spectral.run(readFileSync(path.join(docs, name), 'utf8'));
  problems.push(
    ...found.map(({ code, message, path: at }) => `${name} ${String(code)}: ${message} at ${at.join('/')}`),
  );
}
for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);
