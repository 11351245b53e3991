/** Tests the packages as users get them: installed by npm into an empty folder, checked by publint and the compiler, and run against the platform. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { installedClients } from './installed.mts';
import { installPackages, runProgram } from './packages.mts';
import type { Check } from './world.mts';

const publint = 'publint@0.3.25';

/** A customer's program that imports every entry point. */
const program = `import { items, Parley, ParleyError, type CallRecord } from '@parley/sdk';
import { unwrap } from '@parley/sdk/webhooks';
import { connectTestCall } from '@parley/sdk/test-call';
import { startBrowserCall } from '@parley/sdk/browser';
import '@parley/sdk/worklets';
export async function totalOf(parley: Parley): Promise<number> {
  let total = 0;
  for await (const call of items((cursor) => parley.calls.listCalls({ query: { cursor } }))) total += costOf(call);
  return total;
}
const costOf = ({ duration_seconds: seconds }: Pick<CallRecord, 'duration_seconds'>): number => seconds ?? 0;
export const shown = [ParleyError, unwrap, connectTestCall, startBrowserCall];
`;

/** Checks that the types resolve with the module resolutions of compilers and bundlers, without skipLibCheck. */
function compile(folder: string): string[] {
  const file = path.join(folder, 'customer.ts');
  writeFileSync(file, program);
  return [ts.ModuleResolutionKind.NodeNext, ts.ModuleResolutionKind.Bundler].flatMap((moduleResolution) => {
    const isNode = moduleResolution === ts.ModuleResolutionKind.NodeNext;
    const options: ts.CompilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      types: [],
      target: ts.ScriptTarget.ES2023,
      lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
      module: isNode ? ts.ModuleKind.NodeNext : ts.ModuleKind.ESNext,
      moduleResolution,
    };
    const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
    return found.map(
      ({ messageText }) => `${isNode ? 'node' : 'bundler'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
}

export const packageChecks: readonly Check[] = [
  {
    name: 'packages: publint and the compiler find nothing wrong with what npm has installed',
    run: async ({ folder }) => {
      const installed = await installedClients(folder);
      mkdirSync(path.join(folder, 'publint'), { recursive: true });
      await installPackages(path.join(folder, 'publint'), publint);
      for (const name of ['sdk', 'cli']) {
        const at = path.join(installed, 'node_modules/@parley', name);
        const { code, stdout, stderr } = await runProgram(path.join(folder, 'publint'), 'publint/src/cli.js', [
          ...['run', at, '--strict', '--pack', 'false'],
        ]);
        assert.equal(code, 0, `${name}: ${stdout}${stderr}`);
      }
      assert.deepEqual(compile(installed), []);
    },
  },
  {
    name: 'packages: the command that npm has installed works against the platform',
    run: async ({ folder, url, environment }) => {
      const installed = await installedClients(folder);
      const parley = (...args: string[]) =>
        spawnSync(path.join(installed, 'node_modules/.bin/parley'), args, {
          cwd: installed,
          encoding: 'utf8',
          env: {
            PATH: `${path.dirname(process.execPath)}:${process.env.PATH}`,
            HOME: installed,
            PARLEY_API_KEY: environment.SERVICE_API_KEY,
            PARLEY_BASE_URL: url.origin,
          },
        });
      const { version } = JSON.parse(
        readFileSync(path.join(installed, 'node_modules/@parley/cli/package.json'), 'utf8'),
      ) as { version: string };
      assert.equal(parley('--version').stdout.trim(), version);
      const { status, stdout, stderr } = parley('whoami', '--json');
      assert.equal(status, 0, stderr);
      assert.match((JSON.parse(stdout) as { key_id: string }).key_id, /^key_/);
      assert.equal(parley('doctor').status, 0);
    },
  },
];
