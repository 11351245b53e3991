import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { serviceNames } from '../platform/services.mts';
import { built } from './configuration.mts';
import { matrix } from './matrix.mts';
import { podOf } from './policies.mts';
import { chart, render, type Manifest } from './render.mts';

interface Files {
  readonly certificate: string;
  readonly key: string;
  readonly authorities: string;
}

const { ServiceIdentity } = built('libs/runtime/dist/identity/service-identity.js') as {
  ServiceIdentity: { read(files: Files): { readonly service: string } };
};

/** The Secret with certificates that each Deployment mounts, by service. */
const mounted = (manifests: readonly Manifest[]): Record<string, string> =>
  Object.fromEntries(
    manifests
      .filter(({ kind }) => kind === 'Deployment')
      .map((manifest) => {
        const volume = podOf(manifest)?.volumes?.find(({ name }) => name === 'tls');
        const { secretName } = volume?.['secret'] as { secretName: string };
        return [manifest.metadata.labels?.['app.kubernetes.io/component'] ?? '', secretName];
      }),
  );

await test('every service mounts its own certificate', async () => {
  for (const values of Object.values(matrix)) {
    const { manifests } = await render(values);
    const secrets = mounted(manifests);
    const services = Object.keys(secrets);
    assert.deepEqual(services.filter((name) => name !== 'console').sort(), [...serviceNames].sort());
    assert.equal(new Set(Object.values(secrets)).size, services.length);
  }
});

await test('cert-manager makes the Secret that the service mounts, with the identity of the service', async () => {
  const { manifests } = await render(matrix['certificates by cert-manager'] ?? {});
  const made = manifests.filter(({ kind }) => kind === 'Certificate');
  assert.deepEqual(
    Object.fromEntries(
      made.map(({ metadata, spec }) => [metadata.labels?.['app.kubernetes.io/component'], spec?.['secretName']]),
    ),
    mounted(manifests),
  );
  for (const { metadata, spec } of made) {
    const service = metadata.labels?.['app.kubernetes.io/component'] ?? '';
    assert.deepEqual(spec?.['uris'], [`spiffe://parley/${service}`]);
    assert.deepEqual(spec['dnsNames'], [`${service}.parley.internal`]);
  }
});

await test('the script of the examples makes the Secrets that the chart mounts, and services can use them', async () => {
  const text = execFileSync('sh', [path.join(chart, 'examples/certificates.sh')], { encoding: 'utf8' });
  const secrets = parseAllDocuments(text).map(
    (document) => document.toJS() as Manifest & { stringData: Record<string, string> },
  );
  const expected = mounted((await render({ console: { enabled: true } })).manifests);
  assert.deepEqual(secrets.map(({ metadata }) => metadata.name).sort(), Object.values(expected).sort());
  const folder = mkdtempSync(path.join(os.tmpdir(), 'parley-certificates-'));
  try {
    for (const [service, name] of Object.entries(expected)) {
      const stringData = secrets.find(({ metadata }) => metadata.name === name)?.stringData;
      const file = (key: string): string => {
        writeFileSync(path.join(folder, key), stringData?.[key] ?? '');
        return path.join(folder, key);
      };
      const files = { certificate: file('tls.crt'), key: file('tls.key'), authorities: file('ca.crt') };
      assert.equal(ServiceIdentity.read(files).service, service);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
