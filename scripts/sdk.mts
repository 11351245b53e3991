/** npm run sdk: writes clients/typescript/src/generated from docs/openapi.json. A test refuses a difference. */
import path from 'node:path';
import { root } from './platform/options.mts';
import { generatedFolder, generateSdk } from './sdk/generate.mts';

await generateSdk(generatedFolder);
console.log(`wrote ${path.relative(root, generatedFolder)}`);
