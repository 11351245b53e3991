import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { exceptions, isAllowed, licenceList, licenceOf, readSbom, type Component } from './supply-chain/sbom.mts';

const root = path.resolve(import.meta.dirname, '..');
const sbom = readSbom();
const named = ({ purl }: Component): string => decodeURIComponent(purl.replace(/^pkg:npm\//, ''));

await test('the SBOM is CycloneDX and has every package that a service or the command line names', () => {
  assert.equal(sbom.bomFormat, 'CycloneDX');
  assert.equal(sbom.specVersion, '1.6');
  const there = new Set(sbom.components.map((one) => named(one).replace(/@[^@]*$/, '')));
  for (const service of ['services/gateway', 'services/engine', 'services/console', 'clients/cli']) {
    const { dependencies } = JSON.parse(readFileSync(path.join(root, service, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    for (const name of Object.keys(dependencies)) assert.ok(there.has(name), `${service}: ${name}`);
  }
  // Packages that are only needed for development are not included.
  for (const name of ['jest', 'eslint', 'prettier', 'playwright-core']) assert.ok(!there.has(name), name);
});

await test('no package that the services run with has a license outside of the list', () => {
  assert.deepEqual(
    sbom.components.filter((one) => !isAllowed(one)).map((one) => `${named(one)}: ${licenceOf(one)}`),
    [],
  );
  assert.equal(licenceList(sbom).trim().split('\n').length, sbom.components.length);
});

await test('an exception is one that is needed', () => {
  for (const [name, { licence }] of Object.entries(exceptions)) {
    const component = sbom.components.find((one) => named(one) === name);
    assert.ok(component, `${name} is not among the packages`);
    assert.equal(licenceOf(component), licence);
    assert.ok(!isAllowed({ ...component, purl: 'pkg:npm/another@1.0.0' }), name);
  }
});

const licences: readonly (readonly [string, Component['licenses'], boolean])[] = [
  ['a permissive one', [{ license: { id: 'MIT' } }], true],
  ['a copyleft one', [{ license: { id: 'GPL-3.0-only' } }], false],
  ['one that restricts use', [{ license: { name: 'SEE LICENSE IN LICENSE.md' } }], false],
  ['none', [], false],
  ['a choice with a permissive one', [{ expression: '(GPL-2.0-only OR MIT)' }], true],
  ['a choice without one', [{ expression: '(GPL-2.0-only OR AGPL-3.0-only)' }], false],
  ['two that both hold', [{ expression: 'MIT AND BSD-3-Clause' }], true],
  ['two of which one is not allowed', [{ expression: 'MIT AND GPL-2.0-only' }], false],
  [
    'two entries of which one is not allowed',
    [{ license: { id: 'MIT' } }, { license: { id: 'LGPL-3.0-only' } }],
    false,
  ],
  ['an expression that is nested', [{ expression: 'MIT AND (ISC OR (GPL-2.0-only AND MIT))' }], false],
];
for (const [name, found, allowed] of licences) {
  await test(`${name} is ${allowed ? 'allowed' : 'refused'}`, () => {
    assert.equal(isAllowed({ purl: 'pkg:npm/anything@1.0.0', licenses: found }), allowed);
  });
}

await test('install scripts run only for the listed packages, and each listed package is installed', () => {
  const workspace = parse(readFileSync(path.join(root, 'pnpm-workspace.yaml'), 'utf8')) as {
    allowBuilds: Record<string, boolean>;
    dangerouslyAllowAllBuilds?: boolean;
  };
  assert.equal(workspace.dangerouslyAllowAllBuilds, undefined);
  const allowed = Object.entries(workspace.allowBuilds).filter(([, runs]) => runs);
  assert.deepEqual(allowed.map(([name]) => name).sort(), ['@bufbuild/buf', '@swc/core', 'unrs-resolver']);
  const lock = readFileSync(path.join(root, 'pnpm-lock.yaml'), 'utf8');
  for (const name of Object.keys(workspace.allowBuilds)) assert.match(lock, new RegExp(`^  '?${name}@`, 'm'), name);
});

await test('there is a way to report a vulnerability', () => {
  assert.ok(existsSync(path.join(root, 'SECURITY.md')));
});
