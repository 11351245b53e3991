import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { matrix } from './matrix.mts';
import { policyViolations, podOf } from './policies.mts';
import { chart, helm, render, type Manifest, type Rendered, type Values } from './render.mts';
import { typeErrors } from './typed.mts';

const rendered = new Map<string, Rendered>();
for (const [name, values] of Object.entries(matrix)) rendered.set(name, await render(values));

const of = (name: string): readonly Manifest[] => rendered.get(name)?.manifests ?? [];
const names = (name: string, kind: string): string[] =>
  of(name)
    .filter((manifest) => manifest.kind === kind)
    .map(({ metadata }) => metadata.name);

for (const [name, values] of Object.entries(matrix)) {
  await test(`the chart passes helm lint with ${name}`, async () => {
    const { ok, output } = await helm(['lint', chart, '--strict'], values);
    assert.ok(ok, output);
  });
}

await test('every manifest has the fields of its kind and no other', () => {
  assert.deepEqual(typeErrors([...rendered.values()].flatMap(({ manifests }) => manifests)), []);
});

await test('a field that no kind has is found', () => {
  const [first] = of('minimal').filter(({ kind }) => kind === 'Deployment');
  assert.ok(first);
  assert.equal(typeErrors([{ ...first, spec: { ...first.spec, replcas: 2 } }]).length, 1);
});

for (const [name, { manifests }] of rendered) {
  await test(`the chart keeps the policies with ${name}`, () => {
    assert.deepEqual(manifests.flatMap(policyViolations), []);
  });
}

await test('objects of one kind have different names', () => {
  for (const { manifests } of rendered.values()) {
    const all = manifests.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    assert.equal(new Set(all).size, all.length);
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
  const replicas = (name: string): Record<string, unknown> => {
    const deployments = of(name).filter(({ kind }) => kind === 'Deployment');
    return Object.fromEntries(
      deployments.map(({ metadata, spec }) => [
        metadata.labels?.['app.kubernetes.io/component'] ?? '',
        spec?.['replicas'],
      ]),
    );
  };
  assert.equal(replicas('minimal')['gateway'], 2);
  assert.equal(replicas('one service scaled')['gateway'], undefined);
  assert.equal(replicas('one service scaled')['auth'], 2);
  assert.equal(replicas('keda alone')['engine'], undefined);
  assert.equal(replicas('keda alone')['gateway'], 2);
});

await test('the media port has its own Service and Ingress with long timeouts, if it has an address', () => {
  const media = (name: string, kind: string) =>
    of(name).find(({ metadata, kind: is }) => is === kind && /-media$/.test(metadata.name));
  assert.equal(media('minimal', 'Service'), undefined);
  assert.equal(media('minimal', 'Ingress'), undefined);
  assert.ok(media('media without an ingress', 'Service'));
  assert.equal(media('media without an ingress', 'Ingress'), undefined);
  const annotations = media('everything', 'Ingress')?.metadata.annotations ?? {};
  const timeouts = ['read', 'send'].map((way) =>
    Number(annotations[`nginx.ingress.kubernetes.io/proxy-${way}-timeout`]),
  );
  assert.ok(timeouts.every((seconds) => seconds > 1740));
  assert.equal(annotations['note'], 'x');
});

await test('the media port has an HTTPRoute without a timeout, if it is enabled', () => {
  assert.deepEqual(names('media without an ingress', 'HTTPRoute'), []);
  const route = of('everything').find(({ kind, metadata }) => kind === 'HTTPRoute' && /-media$/.test(metadata.name));
  const service = of('everything').find(({ kind, metadata }) => kind === 'Service' && /-media$/.test(metadata.name));
  assert.deepEqual(route?.spec, {
    parentRefs: [{ name: 'edge', namespace: 'gateways', sectionName: 'https' }],
    hostnames: ['media.example'],
    rules: [
      {
        matches: [{ path: { type: 'PathPrefix', value: '/' } }],
        timeouts: { request: '0s' },
        backendRefs: [{ name: service?.metadata.name, port: 80 }],
      },
    ],
  });
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
  assert.equal((await render(matrix['everything'] ?? {})).text, rendered.get('everything')?.text);
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

const refused: Readonly<Record<string, { values: Values; says: RegExp }>> = {
  'a name that no one knows': { values: { gatway: {} }, says: /gatway/ },
  'such a name further in': { values: { services: { gateway: { replica: 1 } } }, says: /replica/ },
  'a service that there is not': { values: { services: { billing: {} } }, says: /billing/ },
  'the tag latest': { values: { image: { tag: 'latest' } }, says: /latest/ },
  'an address that is a secret': { values: { postgresql: { url: 'postgres://a:b@c/d' } }, says: /existingSecret/ },
  'a value of an older chart': { values: { replicaCount: 2 }, says: /defaults\.replicas/ },
  'an ingress without a host': {
    values: { publicUrl: 'https://voice.example', ingress: { enabled: true } },
    says: /ingress\.host/,
  },
  'an ingress without a public address': {
    values: { ingress: { enabled: true, host: 'voice.example' } },
    says: /publicUrl/,
  },
  'a media ingress without a host': {
    values: { media: { publicUrl: 'wss://media.example', ingress: { enabled: true } } },
    says: /media\.ingress\.host/,
  },
  'a media ingress without a public address': {
    values: { media: { ingress: { enabled: true, host: 'media.example' } } },
    says: /media\.publicUrl/,
  },
  'a media route without a gateway': {
    values: { media: { publicUrl: 'wss://media.example', httpRoute: { enabled: true, hostnames: ['media.example'] } } },
    says: /media\.httpRoute\.parentRefs/,
  },
  'a media route without a host': {
    values: {
      media: { publicUrl: 'wss://media.example', httpRoute: { enabled: true, parentRefs: [{ name: 'edge' }] } },
    },
    says: /media\.httpRoute\.hostnames/,
  },
  'a media route without a public address': {
    values: { media: { httpRoute: { enabled: true, parentRefs: [{ name: 'edge' }], hostnames: ['media.example'] } } },
    says: /media\.publicUrl/,
  },
  'cert-manager without an issuer': {
    values: { tls: { certManager: { enabled: true } } },
    says: /issuerRef/,
  },
  'a translator without its key': {
    values: { translation: { provider: 'deepl' } },
    says: /secrets\.deepl\.existingSecret/,
  },
  'a provider of identity checks without its secret': {
    values: { verification: { providerUrl: 'https://kyc.example' } },
    says: /secrets\.verification\.existingSecret/,
  },
  'a collector on a port that is not let through': {
    values: { tracing: { endpoint: 'http://collector:4317' } },
    says: /tracing\.port/,
  },
  'a collector on the port of its scheme': {
    values: { tracing: { endpoint: 'https://otel.example/x' } },
    says: /tracing\.port/,
  },
  'a route without a gateway': {
    values: { publicUrl: 'https://voice.example', httpRoute: { enabled: true, hostnames: ['voice.example'] } },
    says: /httpRoute\.parentRefs/,
  },
  'a route without a host': {
    values: { publicUrl: 'https://voice.example', httpRoute: { enabled: true, parentRefs: [{ name: 'edge' }] } },
    says: /httpRoute\.hostnames/,
  },
  'a route without a public address': {
    values: { httpRoute: { enabled: true, parentRefs: [{ name: 'edge' }], hostnames: ['voice.example'] } },
    says: /publicUrl/,
  },
  'a surge that is no number': {
    values: { defaults: { strategy: { maxSurge: 'many' } } },
    says: /maxSurge/,
  },
  'keda without figures': { values: { keda: { enabled: true } }, says: /prometheusAddress/ },
};
for (const [name, { values, says }] of Object.entries(refused)) {
  await test(`the chart refuses ${name}`, async () => {
    const { ok, output } = await helm(['template', 'here', chart], values);
    assert.equal(ok, false);
    assert.match(output, says);
  });
}

await test('a collector on any port is let through when tracing.port says the same, or nothing is denied', async () => {
  for (const values of [
    { tracing: { endpoint: 'http://collector:4317', port: 4317 } },
    { tracing: { endpoint: 'https://otel.example/x', port: 443 } },
    { tracing: { endpoint: 'http://otel.example', port: 80 } },
    { tracing: { endpoint: 'http://collector:4317' }, networkPolicy: { enabled: false } },
  ]) {
    const { ok, output } = await helm(['template', 'here', chart], values);
    assert.ok(ok, output);
  }
});

await test('global and enabled are let through, for anyone who makes it a subchart', async () => {
  const { ok, output } = await helm(['template', 'here', chart], { global: { anything: 1 }, enabled: true });
  assert.ok(ok, output);
});

const folder = path.join(chart, 'snapshots');
for (const name of ['minimal', 'everything', 'production', 'trying-out']) {
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
