/**
 * npm run sbom [-- FOLDER]: writes sbom.cdx.json (CycloneDX) and licences.txt, which describe the packages that the services use, into FOLDER (default
 * .parley/sbom). The image contains both. Exits with 1 if a package has a license that is not allowed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isAllowed, licenceList, licenceOf, readSbom } from './supply-chain/sbom.mts';

const folder = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../.parley/sbom'));
const sbom = readSbom();
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 1)}\n`);
writeFileSync(path.join(folder, 'licences.txt'), licenceList(sbom));
const refused = sbom.components.filter((one) => !isAllowed(one));
for (const one of refused) console.error(`${one.purl}: the license "${licenceOf(one)}" is not allowed`);
console.log(`${sbom.components.length} components in ${folder}`);
process.exitCode = refused.length === 0 ? 0 : 1;
