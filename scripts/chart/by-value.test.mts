import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { podOf, type PodSpec } from './policies.mts';
import { chart, render, type Manifest, type Values } from './render.mts';

/** Values that a platform team sets for its own cluster. Each is tested set and not set. */
const component = ({ metadata }: Manifest): string => metadata.labels?.['app.kubernetes.io/component'] ?? '';

const rendered = async (values: Values): Promise<readonly Manifest[]> => (await render(values)).manifests;

function pod(manifests: readonly Manifest[], name: string): PodSpec & Record<string, unknown> {
  const found = manifests.find((one) => podOf(one) !== undefined && component(one) === name);
  assert.ok(found, name);
  return podOf(found) as PodSpec & Record<string, unknown>;
}

const variable = (one: PodSpec, name: string) => one.containers[0]?.env?.find((entry) => entry.name === name);
await test('a bundle of authorities is trusted by every pod, migrations among them, from a Secret or a ConfigMap', async () => {
  const items = [{ key: 'bundle.pem', path: 'ca.crt' }];
  for (const [source, volume] of [
    ['existingSecret', { secret: { secretName: 'authorities', items } }],
    ['existingConfigMap', { configMap: { name: 'authorities', items } }],
  ] as const) {
    const manifests = await rendered({ caBundle: { [source]: 'authorities', key: 'bundle.pem' } });
    for (const one of ['gateway', 'auth', 'engine', 'migrations'].map((name) => pod(manifests, name))) {
      const mount = one.containers[0]?.volumeMounts?.find(({ name }) => name === 'ca-bundle');
      assert.equal(variable(one, 'NODE_EXTRA_CA_CERTS')?.value, `${mount?.mountPath}/ca.crt`);
      assert.partialDeepStrictEqual(
        one.volumes?.find(({ name }) => name === 'ca-bundle'),
        volume,
      );
    }
  }
});

await test('volumes, mounts, variables and containers of the installation reach only the pods of their services', async () => {
  const sidecar = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
  const own = {
    extraVolumes: [{ name: 'more', secret: { secretName: 'more' } }],
    extraVolumeMounts: [{ name: 'more', mountPath: '/more' }],
    extraEnv: [{ name: 'MORE', valueFrom: { secretKeyRef: { name: 'more', key: 'more' } } }],
    envFrom: [{ secretRef: { name: 'more' } }],
    initContainers: [sidecar],
    hostAliases: [{ ip: '10.0.0.1', hostnames: ['here'] }],
    dnsPolicy: 'None',
    dnsConfig: { nameservers: ['10.0.0.2'] },
  };
  const manifests = await rendered({ services: { auth: own } });
  const [auth, gateway] = [pod(manifests, 'auth'), pod(manifests, 'gateway')];
  assert.ok(auth.volumes?.some(({ name }) => name === 'more'));
  assert.ok(auth.containers[0]?.volumeMounts?.some(({ mountPath }) => mountPath === '/more'));
  assert.deepEqual(variable(auth, 'MORE'), own.extraEnv[0]);
  assert.deepEqual((auth.containers[0] as { envFrom?: object[] } | undefined)?.envFrom, own.envFrom);
  for (const key of ['initContainers', 'hostAliases', 'dnsPolicy', 'dnsConfig'] as const) {
    assert.deepEqual(auth[key], own[key], key);
    assert.equal(gateway[key], undefined, key);
  }
  assert.ok(!gateway.volumes?.some(({ name }) => name === 'more'));
  assert.equal(variable(gateway, 'MORE'), undefined);
});

await test('pods have the service account that exists, and migrations their own', async () => {
  const kept = await rendered({
    serviceAccount: { create: false, name: 'ours' },
    migrations: { serviceAccountName: 'mover' },
  });
  assert.equal(pod(kept, 'auth')['serviceAccountName'], 'ours');
  assert.equal(pod(kept, 'migrations')['serviceAccountName'], 'mover');
});

await test('a plain migration Job has another name for another image or other values, and the same one for the same', async () => {
  const name = async (values: Values) => {
    const migrations = { ...(values['migrations'] as Values | undefined), mode: 'job' };
    return (await rendered({ ...values, migrations })).find(({ kind }) => kind === 'Job')?.metadata.name;
  };
  const names = await Promise.all(
    [
      {},
      { image: { tag: '0.2.0' } },
      { commonLabels: { team: 'voice' } },
      { postgresql: { existingSecret: 'other' } },
      { defaults: { nodeSelector: { disk: 'ssd' } } },
      { migrations: { nodeSelector: { disk: 'ssd' } } },
      { defaults: { envFrom: [{ secretRef: { name: 'more' } }] } },
      { migrations: { initContainers: [{ name: 'proxy', image: 'proxy:1' }] } },
    ].map(name),
  );
  assert.equal(new Set(names).size, names.length);
  assert.equal(await name({ ingress: { annotations: { note: 'x' } } }), names[0]);
});

await test('the NetworkPolicies allow the configured DNS server', async () => {
  const egress = async (networkPolicy: Values) => {
    const manifests = await rendered({ networkPolicy });
    const policy = manifests.find((one) => one.kind === 'NetworkPolicy' && component(one) === 'auth');
    return (policy?.spec?.['egress'] as { ports: { port: number; protocol: string }[]; to: object[] }[])[0];
  };
  const usual = await egress({});
  assert.deepEqual(usual?.to, [{ namespaceSelector: {}, podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } } }]);
  assert.deepEqual(usual?.ports.map(({ port, protocol }) => `${protocol} ${port}`).sort(), ['TCP 53', 'UDP 53']);
  const other = await egress({
    dns: {
      ports: [5353],
      namespaceLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' },
      podLabels: { 'k8s-app': null, 'dns.operator.openshift.io/daemonset-dns': 'default' },
      cidrs: ['169.254.20.10/32'],
    },
  });
  assert.deepEqual(other?.to, [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'openshift-dns' } },
      podSelector: { matchLabels: { 'dns.operator.openshift.io/daemonset-dns': 'default' } },
    },
    { ipBlock: { cidr: '169.254.20.10/32' } },
  ]);
  assert.deepEqual(
    other?.ports.map(({ port }) => port),
    [5353, 5353],
  );
});

interface Dashboard {
  readonly title: string;
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[];
}

await test('there is a dashboard for each service and one for calls, of metrics that exist', async () => {
  const dashboards = (manifests: readonly Manifest[]) =>
    manifests
      .filter(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.includes('-dashboard-'))
      .map((one) => {
        assert.equal(one.metadata.labels?.['grafana_dashboard'], '1');
        const [text] = Object.values(one.data ?? {});
        return JSON.parse(text ?? '') as Dashboard;
      });
  assert.deepEqual(dashboards(await rendered({})), []);
  const found = dashboards(await rendered({ dashboards: { enabled: true } }));
  assert.equal(found.length, 10);
  assert.equal(dashboards(await rendered({ dashboards: { enabled: true }, console: { enabled: true } })).length, 11);
  // The list in e2e/metrics.e2e.test.ts is compared with the metrics of the services; metrics of Node come from its library.
  const listed = readFileSync(path.resolve(chart, '../../e2e/metrics.e2e.test.ts'), 'utf8');
  const known = new Set([...listed.matchAll(/^ {2}([a-z_0-9]+): \[/gm)].map(([, name]) => name));
  assert.ok(known.size > 30);
  const ofNode = ['process_cpu_seconds_total', 'process_resident_memory_bytes', 'nodejs_eventloop_lag_p99_seconds'];
  for (const { title, panels } of found) {
    assert.ok(panels.length >= 4, title);
    for (const { expr } of panels.flatMap(({ targets }) => targets)) {
      const metrics = [...expr.matchAll(/([a-z_0-9]+)\{/g)].map(([, name = '']) => name);
      assert.ok(metrics.length > 0, expr);
      for (const metric of metrics) {
        const bare = metric.replace(/_(bucket|sum|count)$/, '');
        assert.ok(known.has(bare) || ofNode.includes(metric), `${title}: no metric ${metric}`);
      }
      assert.ok(!/SELECT|NAMESPACE/.test(expr), expr);
    }
  }
});

await test("the operator's files of the catalogue are in the pods of voice-stack alone, without a restart when they change", async () => {
  const deepgram = { provider: 'deepgram', transcribers: { models: [{ model: 'nova-3', micros_per_minute: 4000 }] } };
  const manifests = await rendered({ catalogue: { extra: { prices: deepgram } } });
  const found = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.endsWith('-catalogue'));
  assert.ok(found);
  assert.deepEqual(JSON.parse(found.data?.['prices.json'] ?? ''), deepgram);
  const one = pod(manifests, 'voice-stack');
  const mount = one.containers[0]?.volumeMounts?.find(({ name }) => name === 'catalogue');
  assert.equal(mount?.mountPath, variable(one, 'CATALOGUE_DIR')?.value);
  assert.equal((mount as { subPath?: string } | undefined)?.subPath, undefined);
  assert.partialDeepStrictEqual(
    one.volumes?.find(({ name }) => name === 'catalogue'),
    { configMap: { name: found.metadata.name } },
  );
  assert.equal(
    pod(manifests, 'agents').volumes?.find(({ name }) => name === 'catalogue'),
    undefined,
  );
  assert.equal(variable(pod(await rendered({}), 'voice-stack'), 'CATALOGUE_DIR'), undefined);
});
