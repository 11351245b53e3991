import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { createClient } from '@hey-api/openapi-ts';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import ts from 'typescript';
import { root } from './platform/options.mts';

const document = path.join(root, 'docs/openapi.json');
const programs = path.join(import.meta.dirname, 'generators');
mkdirSync(path.join(root, '.parley'), { recursive: true });
// Inside the repository, so that the programs find its packages.
const folder = mkdtempSync(path.join(root, '.parley/generators-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

/** The compiler's errors for a program, with strict options. */
function reportedErrors(file: string): string[] {
  const program = ts.createProgram([file], {
    strict: true,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: at, start }) => {
    const line = at === undefined || start === undefined ? 0 : at.getLineAndCharacterOfPosition(start).line + 1;
    return `${path.basename(at?.fileName ?? '')}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

await test('@hey-api/openapi-ts generates a client against which a program of twenty operations, unions and errors compiles', async () => {
  await createClient({
    input: document,
    output: path.join(folder, 'generated'),
    plugins: ['@hey-api/typescript', '@hey-api/sdk', '@hey-api/client-fetch'],
    logs: { level: 'silent' },
  });
  const program = path.join(folder, 'hey-api-program.ts');
  copyFileSync(path.join(programs, 'hey-api-program.txt'), program);
  assert.ok(new Set(readFileSync(program, 'utf8').match(/\bapi\.\w+/g)).size >= 20);
  assert.deepEqual(reportedErrors(program), []);
});

await test('openapi-typescript generates types with which a program of twenty operations, unions, errors and free-form objects compiles', async () => {
  const types = astToString(await openapiTS(JSON.parse(readFileSync(document, 'utf8')) as OpenAPI3));
  assert.ok(!types.includes('?: Record<string, never>'));
  writeFileSync(path.join(folder, 'schema.d.ts'), types);
  const program = path.join(folder, 'openapi-typescript-program.ts');
  copyFileSync(path.join(programs, 'openapi-typescript-program.txt'), program);
  assert.ok(new Set(readFileSync(program, 'utf8').match(/\bapi\.[A-Z]+\('[^']+'/g)).size >= 20);
  assert.deepEqual(reportedErrors(program), []);
});
