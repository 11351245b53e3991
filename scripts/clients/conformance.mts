/** The protocol's public conformance suite, through the proxy that adds the key. */
import assert from 'node:assert/strict';
import path from 'node:path';
import { runProgram } from './packages.mts';
import type { Check } from './world.mts';

export const conformancePackage = '@modelcontextprotocol/conformance@0.1.16';
const program = '@modelcontextprotocol/conformance/dist/index.js';
const expectedFailures = path.join(import.meta.dirname, 'conformance-expected-failures.yaml');

/** This version of the suite has no scenario of a server for what follows 2025-11-25; the pinned v2 client stands in for it. */
export const conformanceChecks: readonly Check[] = ['2025-11-25'].map((version) => ({
  name: `the conformance suite at ${version}`,
  run: async ({ proxiedUrl, folder }) => {
    const { code, stdout, stderr } = await runProgram(folder, program, [
      ...['server', '--url', proxiedUrl, '--spec-version', version],
      ...['--expected-failures', expectedFailures, '--output-dir', path.join(folder, `conformance-${version}`)],
    ]);
    assert.equal(code, 0, `${stdout.slice(stdout.indexOf('=== SUMMARY'))}\n${stderr}`);
  },
}));
