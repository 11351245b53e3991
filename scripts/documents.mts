/** npm run documents: writes docs/openapi.json and docs/asyncapi.json from the contract. A test refuses a difference. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { asyncApiDocument, openApiDocument } from '@parley/contract';
import { format } from 'prettier';

const docs = path.resolve(import.meta.dirname, '../docs');
for (const [name, document] of [
  ['openapi.json', openApiDocument()],
  ['asyncapi.json', asyncApiDocument()],
] as const) {
  writeFileSync(path.join(docs, name), await format(JSON.stringify(document), { parser: 'json', printWidth: 120 }));
  console.log(`wrote docs/${name}`);
}
