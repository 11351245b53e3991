import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { podOf } from './policies.mts';
import { chart, render, type Manifest } from './render.mts';
import { typeErrors } from './typed.mts';

/** The examples of objects that other operators read. */
const documents = (name: string) =>
  parseAllDocuments(readFileSync(path.join(chart, 'examples', name), 'utf8')).map((one) => one.toJS() as Manifest);

await test('the example of External Secrets makes every Secret that a release with a console reads, with its keys', async () => {
  const { manifests } = await render({ console: { enabled: true } });
  const read = new Map<string, Set<string>>();
  for (const one of manifests.flatMap((manifest) => podOf(manifest)?.volumes ?? [])) {
    const { secretName = '', items = [] } = (one['secret'] ?? {}) as { secretName?: string; items?: { key: string }[] };
    for (const { key } of items) read.set(secretName, (read.get(secretName) ?? new Set()).add(key));
  }
  for (const [, secret = '', key = ''] of JSON.stringify(manifests).matchAll(
    /"secretKeyRef":\{"name":"([^"]+)","key":"([^"]+)"\}/g,
  )) {
    read.set(secret, (read.get(secret) ?? new Set()).add(key));
  }
  const text = readFileSync(path.join(chart, 'examples/external-secrets.yaml'), 'utf8');
  const made = documents('external-secrets.yaml').map(
    ({ spec }) =>
      spec as { target: { name: string }; data?: { secretKey: string }[]; dataFrom?: { extract: { key: string } }[] },
  );
  assert.deepEqual(made.map(({ target }) => target.name).sort(), [...read.keys()].sort());
  for (const { target, data, dataFrom } of made) {
    const keys = [...(read.get(target.name) ?? [])];
    if (dataFrom === undefined) assert.deepEqual((data ?? []).map(({ secretKey }) => secretKey).sort(), keys.sort());
    // The value is a whole document: the comment above it lists its keys.
    else for (const key of keys) assert.match(text, new RegExp(`^ *#.*\\b${key}\\b`, 'm'), target.name);
  }
});

await test('the example of External Secrets makes the Secrets that migrations read before they run, also as extraObjects', async () => {
  const objects = documents('external-secrets.yaml');
  const { manifests } = await render({ extraObjects: objects });
  const job = manifests.find(({ kind }) => kind === 'Job');
  const weight = (one?: Manifest): number => Number(one?.metadata.annotations?.['helm.sh/hook-weight']);
  const read = new Set(
    [...JSON.stringify(job).matchAll(/"secretKeyRef":\{"name":"([^"]+)"/g)].map(([, secret = '']) => secret),
  );
  assert.ok(read.size > 0);
  const external = manifests.filter(({ kind }) => kind === 'ExternalSecret');
  assert.equal(external.length, objects.length);
  for (const one of external) {
    const target = one.spec?.['target'] as { name: string; creationPolicy?: string };
    const hook = one.metadata.annotations?.['helm.sh/hook'];
    // Hooks are for what migrations read only: Argo CD waits for hooks, and the worker's token does not exist yet.
    assert.equal(hook !== undefined, read.delete(target.name), target.name);
    if (hook === undefined) continue;
    assert.equal(hook, job?.metadata.annotations?.['helm.sh/hook']);
    assert.ok(weight(one) < weight(job), target.name);
    // An owned Secret would be deleted when Helm replaces the hook, while pods use it.
    assert.equal(target.creationPolicy, 'Orphan', target.name);
  }
  assert.deepEqual([...read], []);
});

await test('the example of cert-manager is the issuer that values-production.yaml names', () => {
  const manifests = documents('cert-manager.yaml');
  assert.deepEqual(typeErrors(manifests), []);
  const { tls } = parse(readFileSync(path.join(chart, 'examples/values-production.yaml'), 'utf8')) as {
    tls: { certManager: { issuerRef: { name: string } } };
  };
  const issuer = manifests.find(({ kind, spec }) => kind === 'Issuer' && spec?.['ca'] !== undefined);
  assert.equal(issuer?.metadata.name, tls.certManager.issuerRef.name);
  const secret = (issuer?.spec?.['ca'] as { secretName: string } | undefined)?.secretName;
  const authority = manifests.find(({ kind, spec }) => kind === 'Certificate' && spec?.['secretName'] === secret);
  assert.equal(authority?.spec?.['isCA'], true);
});
