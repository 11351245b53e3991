import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { matrix } from './matrix.mts';
import { podOf, policyViolations } from './policies.mts';
import { chart, helm, helmNow, render, renderedHere, templateArgs } from './render.mts';
import type { Manifest, Rendered, Values } from './render.mts';
import { typeErrors } from './typed.mts';

const rendered = new Map<string, Rendered>();
for (const [name, values] of Object.entries(matrix)) rendered.set(name, await render(values));

const of = (name: string): readonly Manifest[] => rendered.get(name)?.manifests ?? [];
const names = (name: string, kind: string): string[] =>
  of(name)
    .filter((manifest) => manifest.kind === kind)
    .map(({ metadata }) => metadata.name);

await test('the chart passes helm lint', async () => {
  for (const name of ['minimal', 'everything']) {
    const { ok, output } = await helm(['lint', chart, '--strict'], matrix[name]);
    assert.ok(ok, output);
  }
});

await test('every manifest has the fields of its kind and no other', () => {
  assert.deepEqual(typeErrors(renderedHere()), []);
});

await test('a field that no kind has is found', () => {
  const [first] = of('minimal').filter(({ kind }) => kind === 'Deployment');
  assert.ok(first);
  assert.equal(typeErrors([{ ...first, spec: { ...first.spec, replcas: 2 } }]).length, 1);
});

await test('the chart keeps the policies of a strict platform team', () => {
  assert.deepEqual(renderedHere().flatMap(policyViolations), []);
});

await test('objects of one kind have different names', () => {
  for (const [name, { manifests }] of rendered) {
    const all = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.equal(new Set(all).size, all.length, name);
  }
});

await test('each toggle switches the objects that it names', () => {
  assert.equal(names('minimal', 'Deployment').length, 9);
  assert.equal(names('minimal', 'PodDisruptionBudget').length, 9);
  assert.equal(names('no disruption budgets', 'PodDisruptionBudget').length, 0);
  assert.equal(names('minimal', 'NetworkPolicy').length, 12);
  assert.equal(names('no network policies', 'NetworkPolicy').length, 0);
  assert.equal(names('minimal', 'HorizontalPodAutoscaler').length, 0);
  assert.deepEqual(names('one service scaled', 'HorizontalPodAutoscaler'), ['here-parley-gateway']);
  assert.equal(names('everything', 'HorizontalPodAutoscaler').length, 9);
  assert.deepEqual(names('keda alone', 'ScaledObject'), ['here-parley-engine']);
  assert.deepEqual(names('minimal', 'Job'), ['here-parley-migrations']);
  assert.match(names('migrations by a plain job', 'Job')[0] ?? '', /^here-parley-migrations-[0-9a-f]{10}$/);
  assert.ok(!names('minimal', 'Deployment').includes('here-parley-console'));
  assert.ok(names('console alone', 'Deployment').includes('here-parley-console'));
  assert.equal(names('minimal', 'ConfigMap').length, 0);
  assert.deepEqual(names('no migrations', 'Job'), []);
  assert.deepEqual(names('other names', 'ServiceAccount'), ['talk']);
  assert.deepEqual(names('another service account', 'ServiceAccount'), []);
  for (const [name, services, ways] of [
    ['minimal', 0, 0],
    ['media without an ingress', 1, 0],
    ['everything', 1, 1],
  ] as const) {
    const media = (kind: string) => names(name, kind).filter((one) => one.endsWith('-media')).length;
    assert.deepEqual(['Service', 'Ingress', 'HTTPRoute'].map(media), [services, ways, ways], name);
  }
});

await test('every service that makes streams is given the number of servers that keep them', () => {
  const reported = (name: string): Record<string, string | undefined> =>
    Object.fromEntries(
      of(name)
        .filter(({ kind }) => kind === 'Deployment')
        .flatMap((manifest) => podOf(manifest)?.containers ?? [])
        .filter(({ env }) => env?.some((one) => one.name === 'NATS_URL_FILE'))
        .map(({ name: service, env }) => [service, env?.find((one) => one.name === 'NATS_STREAM_REPLICAS')?.value]),
    );
  const services = ['agents', 'auth', 'insights', 'knowledge', 'telephony', 'webhooks'];
  assert.deepEqual(reported('minimal'), Object.fromEntries(services.map((service) => [service, '1'])));
  assert.deepEqual(reported('production'), Object.fromEntries(services.map((service) => [service, '3'])));
});

await test('replicas are left to an autoscaler', () => {
  const fixed = (name: string) =>
    of(name).filter(({ kind, spec }) => kind === 'Deployment' && spec?.['replicas'] !== undefined).length;
  assert.deepEqual(['minimal', 'one service scaled', 'keda alone', 'everything'].map(fixed), [9, 8, 8, 0]);
});

await test('nothing on the way to gateway, console and media ends a request before the longest call', () => {
  for (const { kind, metadata, spec } of renderedHere()) {
    if (kind === 'HTTPRoute')
      for (const { timeouts } of spec?.['rules'] as { timeouts: object }[])
        assert.deepEqual(timeouts, { request: '0s' });
    if (kind !== 'Ingress' || !metadata.name.endsWith('-media')) continue;
    for (const way of ['read', 'send'])
      assert.ok(Number(metadata.annotations?.[`nginx.ingress.kubernetes.io/proxy-${way}-timeout`]) > 1740, way);
  }
});

await test('a hook needs nothing that its release creates', () => {
  const [job] = of('minimal').filter(({ kind }) => kind === 'Job');
  const pod = (job?.spec?.['template'] as { spec: { serviceAccountName: string; volumes: object[] } }).spec;
  const created = of('minimal').filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined);
  const own = new Set(created.map(({ metadata }) => metadata.name));
  assert.equal(pod.serviceAccountName, 'default');
  const references = [...JSON.stringify(pod).matchAll(/"(?:secretKeyRef|configMapKeyRef)":\{"name":"([^"]+)"/g)];
  assert.ok(references.length > 0);
  assert.deepEqual(
    references.map(([, name]) => name).filter((name) => name !== undefined && own.has(name)),
    [],
  );
  assert.ok(pod.volumes.every((volume) => 'emptyDir' in volume));
});

await test('nothing is random: two renderings are one', async () => {
  assert.equal((await helmNow(templateArgs, matrix['everything'])).output, rendered.get('everything')?.text);
});

await test('a change of configuration rolls the pods that read it, and no others', async () => {
  const checksums = ({ manifests }: Rendered): Record<string, string | undefined> =>
    Object.fromEntries(
      manifests
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ metadata, spec }) => [
          metadata.name,
          (spec?.['template'] as Manifest).metadata.annotations?.['checksum/config'],
        ]),
    );
  const before = checksums(await render({}));
  const after = checksums(await render({ platformProviders: ['openai'] }));
  const changed = Object.keys(before).filter((name) => before[name] !== after[name]);
  assert.deepEqual(changed, ['here-parley-voice-stack']);
});

const edge = { enabled: true, parentRefs: [{ name: 'edge' }], hostnames: ['voice.example'] };
const publicUrl = 'https://voice.example';
const mediaUrl = 'wss://media.example';
const without = (name: keyof typeof edge): Values => ({ ...edge, [name]: undefined });
/** Values that are refused, by what the message names. The first two show that the schema is applied, at any depth. */
const refused: readonly (readonly [string, Values])[] = [
  ['gatway', { gatway: {} }],
  ['replica', { services: { gateway: { replica: 1 } } }],
  ['latest', { image: { tag: 'latest' } }],
  ['ingress.host', { publicUrl, ingress: { enabled: true } }],
  ['publicUrl', { ingress: { enabled: true, host: 'voice.example' } }],
  ['httpRoute.parentRefs', { publicUrl, httpRoute: without('parentRefs') }],
  ['httpRoute.hostnames', { publicUrl, httpRoute: without('hostnames') }],
  ['publicUrl', { httpRoute: edge }],
  ['media.ingress.host', { media: { publicUrl: mediaUrl, ingress: { enabled: true } } }],
  ['media.publicUrl', { media: { ingress: { enabled: true, host: 'media.example' } } }],
  ['media.httpRoute.parentRefs', { media: { publicUrl: mediaUrl, httpRoute: without('parentRefs') } }],
  ['media.httpRoute.hostnames', { media: { publicUrl: mediaUrl, httpRoute: without('hostnames') } }],
  ['media.publicUrl', { media: { httpRoute: edge } }],
  ['issuerRef', { tls: { certManager: { enabled: true } } }],
  ['secrets.deepl.existingSecret', { translation: { provider: 'deepl' } }],
  ['secrets.verification.existingSecret', { verification: { providerUrl: 'https://kyc.example' } }],
  ['secrets.sip.existingSecret', { sip: { ariUrl: 'http://asterisk:8088/ari' } }],
  ['tracing.port', { tracing: { endpoint: 'http://collector:4317' } }],
  ['tracing.port', { tracing: { endpoint: 'https://otel.example/x' } }],
  ['keda.prometheusAddress', { keda: { enabled: true } }],
];
await test('the chart refuses values that cannot work, and names what is missing or wrong', async () => {
  for (const [says, values] of refused) {
    const { ok, output } = await helm(templateArgs, values);
    assert.equal(ok, false, says);
    assert.ok(output.includes(says), `${says} is not in: ${output}`);
  }
});

await test('values that look similar are accepted: a collector on any port that tracing.port names or nothing denies, and those of a subchart', async () => {
  for (const values of [
    { tracing: { endpoint: 'http://collector:4317', port: 4317 } },
    { tracing: { endpoint: 'https://otel.example/x', port: 443 } },
    { tracing: { endpoint: 'http://otel.example', port: 80 } },
    { tracing: { endpoint: 'http://collector:4317' }, networkPolicy: { enabled: false } },
    { global: { anything: 1 }, enabled: true },
  ]) {
    const { ok, output } = await helm(templateArgs, values);
    assert.ok(ok, output);
  }
});

const folder = path.join(chart, 'snapshots');
for (const name of ['minimal', 'everything']) {
  await test(`the snapshot of ${name}`, () => {
    const file = path.join(folder, `${name}.yaml`);
    const text = rendered.get(name)?.text ?? '';
    if (process.env['UPDATE_SNAPSHOTS'] === '1') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(file, text);
    }
    assert.ok(existsSync(file), `no ${file}; UPDATE_SNAPSHOTS=1 writes it`);
    assert.equal(text, readFileSync(file, 'utf8'), 'review the difference, then UPDATE_SNAPSHOTS=1 npm run test:unit');
  });
}

await test('the README has the tables of values.yaml', () => {
  const scratch = mkdtempSync(path.join(os.tmpdir(), 'parley-chart-'));
  try {
    const own = path.join(chart, 'README.md');
    const copy = path.join(scratch, 'README.md');
    copyFileSync(own, copy);
    const generator = path.resolve(chart, '../../node_modules/.bin/readme-generator');
    execFileSync(generator, ['--values', path.join(chart, 'values.yaml'), '--readme', copy], { stdio: 'pipe' });
    if (process.env['UPDATE_SNAPSHOTS'] === '1') copyFileSync(copy, own);
    assert.equal(readFileSync(copy, 'utf8'), readFileSync(own, 'utf8'), 'UPDATE_SNAPSHOTS=1 writes them again');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
