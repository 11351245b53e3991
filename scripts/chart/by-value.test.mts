import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { podOf, type PodSpec } from './policies.mts';
import { chart, render, type Manifest, type Values } from './render.mts';
import { typeErrors } from './typed.mts';

/** Values that a platform team sets for its own cluster. Each is tested set and not set. */
const component = ({ metadata }: Manifest): string => metadata.labels?.['app.kubernetes.io/component'] ?? '';

async function rendered(values: Values): Promise<readonly Manifest[]> {
  const { manifests } = await render(values);
  assert.deepEqual(typeErrors(manifests), []);
  return manifests;
}

function pod(manifests: readonly Manifest[], name: string): PodSpec & Record<string, unknown> {
  const found = manifests.find((one) => podOf(one) !== undefined && component(one) === name);
  assert.ok(found, name);
  return podOf(found) as PodSpec & Record<string, unknown>;
}

const services = ['gateway', 'auth', 'engine', 'migrations'] as const;
const variable = (one: PodSpec, name: string) => one.containers[0]?.env?.find((entry) => entry.name === name);
const mounts = (one: PodSpec): { name: string; mountPath: string }[] =>
  (
    (one.containers[0] as { volumeMounts?: { name: string; mountPath: string }[] } | undefined)?.volumeMounts ?? []
  ).slice();

await test('a bundle of authorities is trusted by every pod, migrations among them, from a Secret or a ConfigMap', async () => {
  const without = await rendered({});
  for (const name of services) assert.equal(variable(pod(without, name), 'NODE_EXTRA_CA_CERTS'), undefined);
  for (const source of ['existingSecret', 'existingConfigMap']) {
    const manifests = await rendered({ caBundle: { [source]: 'authorities', key: 'bundle.pem' } });
    for (const name of services) {
      const one = pod(manifests, name);
      const mount = mounts(one).find((entry) => entry.name === 'ca-bundle');
      assert.equal(variable(one, 'NODE_EXTRA_CA_CERTS')?.value, `${mount?.mountPath}/ca.crt`);
      const volume = one.volumes?.find((entry) => entry['name'] === 'ca-bundle');
      const [from] = Object.values({ secret: volume?.['secret'], configMap: volume?.['configMap'] }).filter(
        Boolean,
      ) as {
        secretName?: string;
        name?: string;
        items: { key: string; path: string }[];
      }[];
      assert.equal(from?.secretName ?? from?.name, 'authorities');
      assert.deepEqual(from?.items, [{ key: 'bundle.pem', path: 'ca.crt' }]);
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
  assert.ok(mounts(auth).some(({ mountPath }) => mountPath === '/more'));
  assert.deepEqual(variable(auth, 'MORE'), own.extraEnv[0]);
  assert.deepEqual((auth.containers[0] as { envFrom?: object[] } | undefined)?.envFrom, own.envFrom);
  for (const key of ['initContainers', 'hostAliases', 'dnsPolicy', 'dnsConfig'] as const) {
    assert.deepEqual(auth[key], own[key], key);
    assert.equal(gateway[key], undefined, key);
  }
  assert.ok(!gateway.volumes?.some(({ name }) => name === 'more'));
  assert.equal(variable(gateway, 'MORE'), undefined);
});

await test('strategy, probes, history and the behavior of autoscalers are values', async () => {
  const spec = (manifests: readonly Manifest[], kind: string) =>
    manifests.find((one) => one.kind === kind && component(one) === 'auth')?.spec as {
      strategy: { rollingUpdate: object };
      revisionHistoryLimit: number;
      behavior?: object;
    };
  const plain = await rendered({ defaults: { autoscaling: { enabled: true } } });
  assert.deepEqual(spec(plain, 'Deployment').strategy.rollingUpdate, { maxSurge: '25%', maxUnavailable: 0 });
  assert.equal(spec(plain, 'HorizontalPodAutoscaler').behavior, undefined);
  assert.equal((pod(plain, 'auth').containers[0]?.livenessProbe as { periodSeconds: number }).periodSeconds, 10);
  const behavior = { scaleUp: { stabilizationWindowSeconds: 60 } };
  const set = await rendered({
    defaults: {
      strategy: { maxSurge: 2, maxUnavailable: '10%' },
      revisionHistoryLimit: 2,
      probes: { liveness: { periodSeconds: 30 } },
      autoscaling: { enabled: true, behavior },
    },
  });
  assert.deepEqual(spec(set, 'Deployment').strategy.rollingUpdate, { maxSurge: 2, maxUnavailable: '10%' });
  assert.equal(spec(set, 'Deployment').revisionHistoryLimit, 2);
  assert.deepEqual(spec(set, 'HorizontalPodAutoscaler').behavior, behavior);
  const probe = pod(set, 'auth').containers[0]?.livenessProbe as { periodSeconds: number; failureThreshold: number };
  assert.deepEqual([probe.periodSeconds, probe.failureThreshold], [30, 6]);
});

await test('the service account is made with its annotations, or is one that exists', async () => {
  const account = (manifests: readonly Manifest[]) => manifests.find(({ kind }) => kind === 'ServiceAccount');
  const plain = await rendered({});
  assert.equal(account(plain)?.metadata.annotations, undefined);
  assert.equal(pod(plain, 'auth')['serviceAccountName'], account(plain)?.metadata.name);
  const made = await rendered({ serviceAccount: { name: 'voice', annotations: { role: 'x' } } });
  assert.deepEqual(account(made)?.metadata.annotations, { role: 'x' });
  assert.equal(pod(made, 'auth')['serviceAccountName'], 'voice');
  const kept = await rendered({
    serviceAccount: { create: false, name: 'ours' },
    migrations: { serviceAccountName: 'mover' },
  });
  assert.equal(account(kept), undefined);
  assert.equal(pod(kept, 'auth')['serviceAccountName'], 'ours');
  assert.equal(pod(kept, 'migrations')['serviceAccountName'], 'mover');
});

await test('a plain migration Job has another name for another image or other values, and the same one for the same', async () => {
  const job = async (values: Values) =>
    (await rendered({ ...values, migrations: { mode: 'job' } })).find(({ kind }) => kind === 'Job');
  const [first, again, image, labels, address] = await Promise.all([
    job({}),
    job({}),
    job({ image: { tag: '0.2.0' } }),
    job({ commonLabels: { team: 'voice' } }),
    job({ postgresql: { existingSecret: 'other' } }),
  ]);
  assert.equal(first?.metadata.name, again?.metadata.name);
  const names = [first, image, labels, address].map((one) => one?.metadata.name);
  assert.equal(new Set(names).size, names.length);
  assert.equal(first?.spec?.['ttlSecondsAfterFinished'], undefined);
  const { manifests } = await render({ migrations: { mode: 'job', ttlSecondsAfterFinished: 60 } });
  assert.equal(manifests.find(({ kind }) => kind === 'Job')?.spec?.['ttlSecondsAfterFinished'], 60);
});

await test('the gateway has an HTTPRoute without a timeout, and the console a path of it, if they are enabled', async () => {
  const routes = (manifests: readonly Manifest[]) => manifests.filter(({ kind }) => kind === 'HTTPRoute');
  assert.deepEqual(routes(await rendered({ publicUrl: 'https://voice.example' })), []);
  const httpRoute = { enabled: true, parentRefs: [{ name: 'edge' }], hostnames: ['voice.example'] };
  const values = { publicUrl: 'https://voice.example', httpRoute, service: { port: 8088 } };
  const rule = (value: string, name: string, port: number) => ({
    matches: [{ path: { type: 'PathPrefix', value } }],
    timeouts: { request: '0s' },
    backendRefs: [{ name, port }],
  });
  const [plain] = routes(await rendered(values));
  assert.deepEqual(plain?.spec, {
    parentRefs: httpRoute.parentRefs,
    hostnames: httpRoute.hostnames,
    rules: [rule('/', 'here-parley-gateway', 8088)],
  });
  const [withConsole] = routes(await rendered({ ...values, console: { enabled: true } }));
  assert.deepEqual(withConsole?.spec?.['rules'], [
    rule('/console', 'here-parley-console', 80),
    rule('/', 'here-parley-gateway', 8088),
  ]);
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

await test('further objects are rendered as templates of the release', async () => {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: '{{ .Release.Name }}-more' },
    data: { a: 'b' },
  };
  const found = (await rendered({ extraObjects: [object] })).find(({ kind }) => kind === 'ConfigMap');
  assert.equal(found?.metadata.name, 'here-more');
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

await test('values that may change while a service runs are files of its Secret, and variables only for migrations', async () => {
  const manifests = await rendered({ postgresql: { pooler: 'transaction' } });
  const auth = pod(manifests, 'auth');
  for (const [name, secret, key] of [
    ['DATABASE_URL', 'parley-postgresql', 'auth'],
    ['TOKEN_PEPPERS', 'parley-secrets', 'token-peppers'],
    ['VAULT_KEYS', 'parley-secrets', 'vault-keys'],
  ] as const) {
    assert.equal(variable(auth, name), undefined);
    const file = variable(auth, `${name}_FILE`)?.value ?? '';
    const mount = mounts(auth).find(({ mountPath }) => file.startsWith(`${mountPath}/`));
    const volume = auth.volumes?.find((one) => one['name'] === mount?.name)?.['secret'] as {
      secretName: string;
      items: object[];
    };
    assert.equal(volume.secretName, secret);
    assert.deepEqual(volume.items, [{ key, path: 'value' }]);
    assert.equal(file, `${mount?.mountPath}/value`);
    const moved = pod(manifests, 'migrations').containers.find((one) => one.name === 'auth');
    assert.equal(moved?.env?.find((one) => one.name === name)?.valueFrom?.secretKeyRef?.key, key);
  }
  assert.equal(variable(auth, 'DATABASE_POOLER')?.value, 'transaction');
  assert.equal(variable(pod(await rendered({}), 'auth'), 'DATABASE_POOLER')?.value, 'none');
  // The gateway has its own connection settings, and no key that decrypts secrets.
  const gateway = pod(manifests, 'gateway');
  for (const name of ['DATABASE_URL', 'TOKEN_PEPPERS', 'VAULT_KEYS'])
    assert.equal(variable(gateway, `${name}_FILE`), undefined);
});
