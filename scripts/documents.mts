/**
 * npm run documents: writes docs/openapi.json and docs/asyncapi.json from the contract, from which `npm run build` generates the clients. The examples of errors
 * are bodies that end-to-end tests have received: RECORD_EXAMPLES=1 npm run test:e2e stores them in .parley/error-examples, and
 * `npm run documents -- --examples` copies them into the contract (build again after that).
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { asyncApiDocument, openApiDocument } from '@parley/contract';
import { format } from 'prettier';
import { root } from './platform/options.mts';

const byName = ([one]: [string, unknown], [other]: [string, unknown]): number => (one < other ? -1 : 1);

/** What readers expect in the order of its declaration. */
const inOrder = new Set(['properties', 'example', 'examples', 'value', 'mapping']);

/** Sorts keys, so that code which only moves changes nothing in the document. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [
    name,
    name === 'properties' ? orderedProperties(inner) : inOrder.has(name) ? inner : sorted(inner),
  ]);
  return Object.fromEntries(entries.sort(byName));
}

const orderedProperties = (properties: unknown): unknown =>
  Object.fromEntries(Object.entries(properties as object).map(([name, schema]) => [name, sorted(schema)]));

const write = async (file: string, content: unknown): Promise<void> => {
  writeFileSync(path.join(root, file), await format(JSON.stringify(content), { parser: 'json', printWidth: 120 }));
  console.log(`wrote ${file}`);
};

if (process.argv.includes('--examples')) {
  const kept = 'libs/contract/src/openapi/error-examples.json';
  const recorded = path.join(root, '.parley/error-examples');
  const examples = JSON.parse(readFileSync(path.join(root, kept), 'utf8')) as Record<string, unknown>;
  for (const file of existsSync(recorded) ? readdirSync(recorded) : [])
    examples[path.basename(file, '.json')] = JSON.parse(readFileSync(path.join(recorded, file), 'utf8'));
  await write(kept, Object.fromEntries(Object.entries(examples).sort(byName)));
} else {
  await write('docs/openapi.json', sorted(JSON.parse(JSON.stringify(openApiDocument()))));
  await write('docs/asyncapi.json', sorted(JSON.parse(JSON.stringify(asyncApiDocument()))));
}
