/**
 * npm run sdk: generates clients/typescript/src/generated and its audio worklets, clients/python/parley_types, and the operations and JSON Schemas of the command line from
 * docs/openapi.json. A test fails if the committed files differ from what this generates.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './platform/options.mts';
import { generatedFolder, generateSdk, workletsFile, workletsText } from './sdk/generate.mts';
import { generateOperations, operationsFile } from './sdk/operations.mts';
import { generatePython, pythonFolder } from './sdk/python.mts';
import { generateSchemas, schemasFolder } from './sdk/schemas.mts';

await generateSdk(generatedFolder);
writeFileSync(workletsFile, workletsText());
generatePython(pythonFolder);
await generateOperations();
await generateSchemas();
for (const folder of [generatedFolder, workletsFile, pythonFolder, operationsFile, schemasFolder])
  console.log(`wrote ${path.relative(root, folder)}`);
