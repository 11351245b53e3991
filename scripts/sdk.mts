/** npm run sdk: writes clients/typescript/src/generated and clients/python/parley_types from docs/openapi.json. A test refuses a difference. */
import path from 'node:path';
import { root } from './platform/options.mts';
import { generatedFolder, generateSdk } from './sdk/generate.mts';
import { generatePython, pythonFolder } from './sdk/python.mts';

await generateSdk(generatedFolder);
generatePython(pythonFolder);
for (const folder of [generatedFolder, pythonFolder]) console.log(`wrote ${path.relative(root, folder)}`);
