/**
 * The build step `clients`: writes what the clients have from docs/openapi.json and docs/asyncapi.json, and is not in git. That is the generated part of the
 * TypeScript SDK and its audio worklets, the Python types, and the operations and JSON Schemas of the command line.
 */
import { writeFileSync } from 'node:fs';
import { generatedFolder, generateSdk, workletsFile, workletsText } from './sdk/generate.mts';
import { generateOperations } from './sdk/operations.mts';
import { generatePython, pythonFolder } from './sdk/python.mts';
import { generateSchemas } from './sdk/schemas.mts';

await generateSdk(generatedFolder);
writeFileSync(workletsFile, workletsText());
generatePython(pythonFolder);
generateOperations();
generateSchemas();
