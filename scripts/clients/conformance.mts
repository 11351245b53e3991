/** Runs the public conformance suite of the Model Context Protocol, through a proxy that adds the key. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { runProgram } from './packages.mts';
import type { Check } from './world.mts';

export const conformancePackage = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const program = '@modelcontextprotocol/conformance/dist/index.js';
/** The list of expected failures: features that the platform does not offer, with reasons. A listed scenario that succeeds fails the run. */
const expectedFailures = (version: string): string =>
  path.join(import.meta.dirname, `conformance-expected-failures-${version}.yaml`);

export const conformanceChecks: readonly Check[] = ['2025-11-25', '2026-07-28'].map((version) => ({
  name: `the conformance suite at ${version}`,
  run: async ({ proxiedUrl, folder }) => {
    const { code, stdout, stderr } = await runProgram(folder, program, [
      ...['server', '--url', proxiedUrl, '--requirements', version],
      ...[
        '--expected-failures',
        expectedFailures(version),
        '--output-dir',
        path.join(folder, `conformance-${version}`),
      ],
    ]);
    assert.equal(code, 0, `${stdout.slice(stdout.indexOf('=== SUMMARY'))}\n${stderr}`);
  },
}));
