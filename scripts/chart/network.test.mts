import assert from 'node:assert/strict';
import { test } from 'node:test';
import { built, configOf, environmentOf, loadConfig } from './configuration.mts';
import { matrix } from './matrix.mts';
import { podOf } from './policies.mts';
import { reachability, type Place } from './reachability.mts';
import { render, type Manifest, type Values } from './render.mts';

/**
 * Default deny and exact egress: which connections the NetworkPolicies let through is compared, pair by pair and port by port, with the
 * connections that the containers' own configuration makes. Too much fails as well as too little.
 */
const home = 'voice';
const outside = {
  postgresql: { name: 'postgresql', address: '10.1.0.5' },
  nats: { name: 'nats', address: '10.2.0.5' },
  redis: { name: 'redis', address: '10.3.0.5' },
  receiver: { name: 'an allowed receiver', address: '10.4.0.5' },
  neighbour: { name: 'another address of the private network', address: '10.99.0.5' },
  metadata: { name: "the cloud's metadata", address: '169.254.169.254' },
  internet: { name: 'the internet', address: '93.184.216.34' },
  internet6: { name: 'the internet by IPv6', address: '2606:2800:220:1::1' },
  blocked: { name: 'a blocked address', address: '93.184.217.34' },
  blocked6: { name: 'a blocked address of IPv6', address: '2606:4700::1' },
} satisfies Record<string, Place>;

const foreign = (name: string, namespace: string, labels: Readonly<Record<string, string>>, last: number): Place => ({
  name,
  namespace,
  labels,
  address: `10.244.9.${last}`,
});
const inside = {
  dns: foreign('the DNS of the cluster', 'kube-system', { 'k8s-app': 'kube-dns' }, 1),
  system: foreign('another pod of the system', 'kube-system', { app: 'x' }, 2),
  ingress: foreign('the ingress controller', 'ingress', { app: 'nginx' }, 3),
  prometheus: foreign('prometheus', 'monitoring', { app: 'prometheus' }, 4),
  collector: foreign('the collector', 'monitoring', { app: 'collector' }, 5),
  stranger: foreign('a pod of another namespace', 'shop', { app: 'shop' }, 6),
  roommate: foreign('another pod of the namespace', home, { app: 'cron' }, 7),
};

const ports = [53, 80, 443, 4222, 4318, 5432, 6379, 8080, 8443, 9090, 50051] as const;
const url = (text: string): { host: string; port: number } => {
  const { hostname, port, protocol } = new URL(text);
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
};

/** The pods of the release, by component. */
function podsOf(manifests: readonly Manifest[]): Record<string, Place> {
  const found: Record<string, Place> = {};
  for (const manifest of manifests) {
    const pod = podOf(manifest);
    if (pod === undefined) continue;
    const made = manifest.kind === 'Pod' ? manifest : (manifest.spec?.['template'] as Manifest);
    const labels = made.metadata.labels ?? {};
    const name = labels['app.kubernetes.io/component'] ?? '';
    const named = pod.containers.flatMap((one) => one.ports ?? []).map((one) => [one.name ?? '', one.containerPort]);
    const address = `10.244.0.${Object.keys(found).length + 1}`;
    found[name] = {
      name,
      namespace: home,
      labels,
      address,
      ports: Object.fromEntries(named) as Record<string, number>,
    };
  }
  return found;
}

/** Follows the name of a Service to the pod and the port behind it. */
function behind(manifests: readonly Manifest[], pods: Record<string, Place>, host: string, port: number) {
  const service = manifests.find(({ kind, metadata }) => kind === 'Service' && host.split('.')[0] === metadata.name);
  assert.ok(service, `no Service ${host}`);
  assert.equal(host, `${service.metadata.name}.${home}.svc.cluster.local`);
  const spec = service.spec as { selector: Record<string, string>; ports: { port: number; targetPort: string }[] };
  const selected = Object.values(pods).filter(({ labels }) =>
    Object.entries(spec.selector).every(([name, value]) => labels?.[name] === value),
  );
  assert.equal(selected.length, 1, host);
  const [pod] = selected;
  const target = spec.ports.find((one) => one.port === port)?.targetPort ?? '';
  assert.ok(pod?.ports?.[target] !== undefined, `${host}:${port} leads nowhere`);
  return { to: pod, port: pod.ports[target] };
}

interface Connection {
  readonly from: Place;
  readonly to: Place;
  readonly port: number;
  readonly protocol?: string;
}

/** What the containers of a pod connect to, by their own configuration. */
function dialled(manifests: readonly Manifest[], pods: Record<string, Place>, name: string): Connection[] {
  const from = pods[name];
  const manifest = manifests.find(
    (one) => podOf(one) !== undefined && one.metadata.labels?.['app.kubernetes.io/component'] === name,
  );
  assert.ok(from && manifest);
  const found: Connection[] = [
    { from, to: inside.dns, port: 53 },
    { from, to: inside.dns, port: 53, protocol: 'UDP' },
  ];
  const add = (to: Place, port: number) => found.push({ from, to, port });
  for (const { name: service, env = [], command = [], args = [] } of podOf(manifest)?.containers ?? []) {
    if (name === 'test') {
      const [address = ''] = [...command, ...args].slice(-1);
      const { host, port } = url(address);
      const { to, port: target } = behind(manifests, pods, host, port);
      add(to, target);
      continue;
    }
    const config = loadConfig(configOf(service), environmentOf(env));
    if (typeof config['databaseUrl'] === 'string') add(outside.postgresql, 5432);
    // `migrate` reads its whole configuration and connects to PostgreSQL alone.
    if (command.includes('migrate')) continue;
    if (typeof config['natsUrl'] === 'string') add(outside.nats, 4222);
    if (typeof config['redisUrl'] === 'string') add(outside.redis, 6379);
    if (typeof config['otelExporterOtlpEndpoint'] === 'string') {
      // A collector may be anywhere; its port alone is let through.
      const { port } = url(config['otelExporterOtlpEndpoint']);
      for (const to of [...Object.values(inside), ...Object.values(outside)]) add(to, port);
    }
    for (const [property, value] of Object.entries(config)) {
      if (property.endsWith('Address') && typeof value === 'string') {
        const [host = '', port] = value.replace('dns:///', '').split(':');
        const { to, port: target } = behind(manifests, pods, host, Number(port));
        add(to, target);
      }
    }
    if (typeof config['gatewayUrl'] === 'string') {
      const { host, port } = url(config['gatewayUrl']);
      const { to, port: target } = behind(manifests, pods, host, port);
      add(to, target);
    }
    for (const port of providerPorts(service, config)) add(outside.internet, port);
    // The addresses of customers' endpoints, wherever and at whatever port they are.
    if (service === 'webhooks') for (const port of ports) add(outside.internet, port);
    if (service === 'webhooks' && config['webhookAllowedCidrs'] !== undefined) {
      for (const port of ports) add(outside.receiver, port);
    }
  }
  return found;
}

/** Ports of the carriers and providers that a service asks over the internet: addresses in its configuration, and defaults of its code. */
function providerPorts(service: string, config: Record<string, unknown>): number[] {
  const found = Object.entries(config)
    .filter(([name, value]) => /ApiUrl$/.test(name) && typeof value === 'string' && value.startsWith('https://'))
    .map(([, value]) => url(value as string).port);
  if (service === 'voice-stack' && (config['elevenlabsApiKey'] ?? config['openaiApiKey']) !== undefined)
    found.push(443);
  return found;
}

/** Who connects to the release from outside of it. */
function arriving(pods: Record<string, Place>, values: Values): Connection[] {
  const { ingressNamespaces = [], monitoringNamespace } = (values['networkPolicy'] ?? {}) as {
    ingressNamespaces?: string[];
    monitoringNamespace?: string;
  };
  const everybody: readonly Place[] = [...Object.values(inside), ...Object.values(outside)];
  const found: Connection[] = [];
  const gateway = pods['gateway'];
  assert.ok(gateway);
  for (const from of everybody) {
    const welcome = ingressNamespaces.length === 0 || ingressNamespaces.includes(from.namespace ?? '');
    if (welcome) found.push({ from, to: gateway, port: 8080 });
  }
  for (const from of everybody) {
    if (monitoringNamespace === undefined || from.namespace !== monitoringNamespace) continue;
    for (const to of Object.values(pods)) {
      if (to.ports?.['health'] !== undefined) found.push({ from, to, port: to.ports['health'] });
    }
  }
  return found;
}

const text = ({ from, to, port, protocol = 'TCP' }: Connection): string =>
  `${from.name} -> ${to.name} ${protocol} ${port}`;

const cidrs = {
  postgresql: { cidrs: ['10.1.0.0/24'] },
  nats: { cidrs: ['10.2.0.0/24'] },
  redis: { cidrs: ['10.3.0.0/24'] },
  networkPolicy: { blockedEgressCidrs: ['93.184.217.0/24', '2606:4700::/32'] },
};
const cases: Readonly<Record<string, Values>> = {
  everything: {
    ...matrix['everything'],
    networkPolicy: { ...(matrix['everything']?.['networkPolicy'] as Values), ...cidrs.networkPolicy },
  },
  'addresses of the servers': cidrs,
  'accounts at providers': {
    ...cidrs,
    translation: { provider: 'deepl' },
    secrets: { deepl: { existingSecret: 'deepl' }, elevenlabs: { existingSecret: 'elevenlabs' } },
  },
  'openai alone': { ...cidrs, secrets: { openai: { existingSecret: 'openai' } } },
  'tracing alone': { ...cidrs, tracing: { endpoint: 'http://collector.monitoring:4318' } },
  'a plain job for migrations': { ...cidrs, migrations: { mode: 'job' } },
  'a subscriber of metrics': { ...cidrs, networkPolicy: { ...cidrs.networkPolicy, monitoringNamespace: 'monitoring' } },
  'another port for the edge': { ...cidrs, service: { port: 8088 }, fullnameOverride: 'talk' },
};

for (const [name, values] of Object.entries(cases)) {
  await test(`what is connected is let through and nothing else is, with ${name}`, async () => {
    const { manifests } = await render(values);
    const pods = podsOf(manifests);
    assert.equal(Object.keys(pods).length, 9);
    const lets = reachability(manifests, home);
    const wanted = [...Object.keys(pods).flatMap((one) => dialled(manifests, pods, one)), ...arriving(pods, values)];
    const own = new Set(Object.values(pods));
    const all: readonly Place[] = [...own, ...Object.values(inside), ...Object.values(outside)];
    const possible: readonly Connection[] = all.flatMap((from) =>
      all.flatMap((to) =>
        from === to || (!own.has(from) && !own.has(to))
          ? []
          : [
              ...ports.map((port) => ({ from, to, port })),
              { from, to, port: 53, protocol: 'UDP' },
              { from, to, port: 8080, protocol: 'UDP' },
            ],
      ),
    );
    const needed = new Set(wanted.map(text));
    // The internet is by IPv6 what it is by IPv4.
    for (const one of wanted) if (one.to === outside.internet) needed.add(text({ ...one, to: outside.internet6 }));
    const found = possible.filter(({ from, to, port, protocol }) => lets(from, to, port, protocol));
    const missing = [...needed].filter((one) => !found.some((connection) => text(connection) === one));
    assert.deepEqual(
      { missing, surplus: found.map(text).filter((one) => !needed.has(one)) },
      { missing: [], surplus: [] },
    );
  });
}

await test('without the addresses of a server its port alone is let through, and to those who use it alone', async () => {
  const { manifests } = await render({});
  const pods = podsOf(manifests);
  const lets = reachability(manifests, home);
  const able = (port: number) =>
    Object.values(pods)
      .filter((from) => lets(from, outside.neighbour, port))
      .map(({ name }) => name)
      .sort();
  assert.deepEqual(able(5432), ['agents', 'auth', 'migrations', 'telephony', 'voice-stack', 'webhooks']);
  assert.deepEqual(able(4222), ['agents', 'auth', 'telephony', 'webhooks']);
  assert.deepEqual(able(6379), ['gateway', 'telephony']);
  assert.deepEqual(able(443), []);
});

await test('what webhooks reach by the NetworkPolicy is what their own guard lets them reach', async () => {
  const { isGlobalAddress } = built('services/webhooks/dist/network/global-address.js') as {
    isGlobalAddress(text: string): boolean;
  };
  const { manifests } = await render(cidrs);
  const { webhooks, telephony } = podsOf(manifests);
  assert.ok(webhooks && telephony);
  const lets = reachability(manifests, home);
  const differing = [...edges4(), ...edges6()]
    .filter((address) => !address.startsWith('93.184.217.') && !address.startsWith('2606:4700:'))
    .filter((address) => {
      const to = { name: address, address };
      return (
        lets(webhooks, to, 443) !== isGlobalAddress(address) || lets(telephony, to, 443) !== lets(webhooks, to, 443)
      );
    });
  assert.deepEqual(differing, []);
});

/** Both ends of each IPv4 block that is somebody's special case, and one beyond on each side; and many others. */
function* edges4(): Generator<string> {
  const blocks = [
    '0.0.0.0/8',
    '10.0.0.0/8',
    '100.64.0.0/10',
    '127.0.0.0/8',
    '168.63.129.16/32',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.0.0.0/24',
    '192.0.2.0/24',
    '192.31.196.0/24',
    '192.52.193.0/24',
    '192.88.99.0/24',
    '192.168.0.0/16',
    '192.175.48.0/24',
    '198.18.0.0/15',
    '198.51.100.0/24',
    '203.0.113.0/24',
    '224.0.0.0/4',
    '240.0.0.0/4',
  ];
  const written = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 255).join('.');
  for (const block of blocks) {
    const [network = '', bits = ''] = block.split('/');
    const first = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
    const last = first + 2 ** (32 - Number(bits)) - 1;
    for (const value of [first - 1, first, Math.floor((first + last) / 2), last, last + 1]) {
      if (value >= 0 && value < 2 ** 32) yield written(value);
    }
  }
  // Spread over all of them: multiples of a number that shares no divisor with 2^32.
  for (let count = 1; count <= 5_000; count += 1) yield written((count * 2_654_435_761) % 2 ** 32);
}

function* edges6(): Generator<string> {
  yield* ['::1', '::', 'fe80::1', 'fc00::1', 'fd12::1', 'ff02::1', '64:ff9b::a00:1', '::ffff:10.0.0.1', '100::1'];
  yield* ['2000::1', '2001::1', '2001:0:a00:1::1', '2001:db8::1', '2001:4860:4860::8888', '2002:a00:1::1', '2003::1'];
  yield* [
    '2606:4700::1',
    '2a00:1450:4001::1',
    '3fff::1',
    '3fff:1000::1',
    '3ffe::1',
    '4000::1',
    '1fff::1',
    '2620:4f:8000::1',
  ];
}
