/**
 * npm run documents: generates docs/openapi.json and docs/asyncapi.json from the contract, docs/calls.md from the table of transitions, the table of tools in
 * docs/mcp.md from the routes, and the table of events in docs/events.md from their declarations. A test fails if they differ. The examples of errors are
 * bodies that end-to-end tests have received: RECORD_EXAMPLES=1 npm run test:e2e stores them in .parley/error-examples, and `npm run documents -- --examples`
 * copies them into the contract (build again after that).
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asyncApiDocument, openApiDocument } from '@parley/contract';
import { format } from 'prettier';
import { callsPage } from './calls-page.mts';
import { writtenPages } from './guide/pages.mts';
import { withEventsTable } from './events-table.mts';
import { withToolsTable } from './tools-table.mts';

const root = path.resolve(import.meta.dirname, '..');
if (process.argv.includes('--examples')) {
  const kept = path.join(root, 'libs/contract/src/openapi/error-examples.json');
  const recorded = path.join(root, '.parley/error-examples');
  const examples = JSON.parse(readFileSync(kept, 'utf8')) as Record<string, unknown>;
  for (const file of existsSync(recorded) ? readdirSync(recorded) : []) {
    examples[path.basename(file, '.json')] = JSON.parse(readFileSync(path.join(recorded, file), 'utf8'));
  }
  const sorted = Object.fromEntries(Object.entries(examples).sort(([one], [other]) => one.localeCompare(other)));
  writeFileSync(kept, await format(JSON.stringify(sorted), { parser: 'json', printWidth: 120 }));
  console.log(`wrote ${Object.keys(sorted).length} examples; build again before the documents are written`);
  process.exit(0);
}

const docs = path.join(root, 'docs');
for (const [name, document] of [
  ['openapi.json', openApiDocument()],
  ['asyncapi.json', asyncApiDocument()],
] as const) {
  writeFileSync(path.join(docs, name), await format(JSON.stringify(document), { parser: 'json', printWidth: 120 }));
  console.log(`wrote docs/${name}`);
}
writeFileSync(path.join(docs, 'calls.md'), await format(callsPage(), { parser: 'markdown', printWidth: 120 }));
console.log('wrote docs/calls.md');
for (const [name, write] of Object.entries(writtenPages)) {
  writeFileSync(
    path.join(docs, name),
    await format(write(), { parser: 'markdown', printWidth: 120, singleQuote: true }),
  );
  console.log(`wrote docs/${name}`);
}
for (const [name, written] of [
  ['mcp.md', withToolsTable],
  ['events.md', withEventsTable],
] as const) {
  const page = path.join(docs, name);
  writeFileSync(
    page,
    await format(written(readFileSync(page, 'utf8')), { parser: 'markdown', printWidth: 120, singleQuote: true }),
  );
  console.log(`wrote the table in docs/${name}`);
}
