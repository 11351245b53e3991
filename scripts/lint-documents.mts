/** Lints docs/openapi.json and docs/asyncapi.json with the recommended rules of two public linters. Warnings fail too. Part of npm run lint. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createConfig, lint } from '@redocly/openapi-core';
import spectralCore, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const docs = path.resolve(import.meta.dirname, '../docs');
const config = await createConfig({
  extends: ['recommended'],
  rules: {
    // The examples are bodies that tests have sent and received.
    'no-invalid-media-type-examples': 'error',
    // Components may also belong to routes that do not exist yet, or to responses for unknown paths.
    'no-unused-components': 'off',
  },
});
const problems = (await lint({ ref: path.join(docs, 'openapi.json'), config })).map(
  ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} at ${location[0]?.pointer ?? '#'}`,
);

// The types of the linter's packages do not match each other.
const recommended: unknown = [rulesets.oas, rulesets.asyncapi];
const spectral = new spectralCore.Spectral();
spectral.setRuleset({
  extends: recommended as RulesetDefinition[],
  rules: {
    // Each installation has a different contact.
    'info-contact': 'off',
    'asyncapi-info-contact': 'off',
    // The rule only supports scopes of OAuth; in OpenAPI 3.1 every security scheme can have them.
    'oas3-operation-security-defined': 'off',
    // Disabled for the same reason as no-unused-components.
    'oas3-unused-component': 'off',
    // Generators support AsyncAPI 3.0.
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
