import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import ts from 'typescript';
import { operations as ofCommandLine } from '../clients/cli/dist/generated/operations.gen.js';
import { root } from './platform/options.mts';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

type Samples = (
  document: Document,
  path: string,
  method: string,
) => {
  curl: string;
  commandLine: string;
  typescript: string;
};

const document = JSON.parse(readFileSync(path.join(root, 'docs/openapi.json'), 'utf8')) as Document;
const source = readFileSync(path.join(root, 'services/gateway/assets/samples.js'), 'utf8');
const samplesOf = runInNewContext(`${source}; parleySamples`, { encodeURIComponent, URLSearchParams }) as Samples;

const operations = Object.entries(document.paths).flatMap(([at, methods]) =>
  Object.keys(methods)
    .filter((name) => name !== 'parameters')
    .map((method) => ({ at, method, ...samplesOf(document, at, method) })),
);

await test('the reference shows each operation with curl, its whole address and its body', () => {
  assert.ok(operations.length > 200);
  for (const { at, method, curl } of operations) {
    assert.ok(curl.startsWith(`curl -X ${method.toUpperCase()} "$PARLEY_URL/v1/`), curl);
    assert.ok(!/[{}]/.test(curl.split('\n')[0] ?? ''), at);
    const [, body] = /-d '([^]*)'$/.exec(curl) ?? [];
    if (body !== undefined) JSON.parse(body.replaceAll(`'\\''`, "'"));
  }
});

await test('the reference shows each operation with the command line, which knows its route', () => {
  const known = ofCommandLine.map(
    ({ method, url }) => new RegExp(`^${method} ${url.replaceAll(/\{\w+\}/g, '[^/{}]+')}$`),
  );
  for (const { commandLine } of operations) {
    const [, method, at] = /^parley api ([A-Z]+) '([^'?]+)[^']*'/.exec(commandLine) ?? [];
    assert.ok(
      known.some((route) => route.test(`${method} ${at}`)),
      commandLine,
    );
    const [, body] = /^ {2}-d '([^]*)'$/m.exec(commandLine) ?? [];
    if (body !== undefined && !commandLine.includes('--content-type')) JSON.parse(body.replaceAll(`'\\''`, "'"));
  }
});

await test('the reference shows each operation with the TypeScript SDK, as the compiler accepts it', () => {
  const name = path.join(root, 'clients/typescript/src/samples-of-test.ts');
  const [first] = operations;
  assert.ok(first !== undefined);
  const setUp = first.typescript.split('\n').slice(0, 3).join('\n').replace('@parley/sdk', './index.js');
  const calls = operations.map(({ typescript }) => `{\n${typescript.split('\n').slice(3).join('\n')}\nvoid answer;\n}`);
  const program = `${setUp}\n${calls.join('\n')}`;
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: [],
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (at, ...rest) =>
    at === name ? ts.createSourceFile(at, program, ts.ScriptTarget.ES2023) : getSourceFile(at, ...rest);
  host.fileExists = (at) => at === name || fileExists(at);
  host.readFile = (at) => (at === name ? program : readFile(at));
  const found = ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText, start, file }) => {
      const before = file === undefined ? '' : file.text.slice(0, start).split('\n').slice(-8).join('\n');
      return `${before} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
    });
  assert.deepEqual(found, []);
});
