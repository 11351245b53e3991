import assert from 'node:assert/strict';
import { configOf, environmentOf, loadConfig } from './configuration.mts';
import { podOf } from './policies.mts';
import type { Place } from './reachability.mts';
import type { Manifest } from './render.mts';

/** The connections that the pods of a release are allowed to make, and those that the configuration of their containers makes. */
export const home = 'voice';
export const outside = {
  postgresql: { name: 'postgresql', address: '10.1.0.5' },
  nats: { name: 'nats', address: '10.2.0.5' },
  redis: { name: 'redis', address: '10.3.0.5' },
  receiver: { name: 'an allowed receiver', address: '10.4.0.5' },
  asterisk: { name: 'asterisk', address: '10.5.0.5' },
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
export const inside = {
  dns: foreign('the DNS of the cluster', 'kube-system', { 'k8s-app': 'kube-dns' }, 1),
  system: foreign('another pod of the system', 'kube-system', { app: 'x' }, 2),
  ingress: foreign('the ingress controller', 'ingress', { app: 'nginx' }, 3),
  prometheus: foreign('prometheus', 'monitoring', { app: 'prometheus' }, 4),
  collector: foreign('the collector', 'monitoring', { app: 'collector' }, 5),
  stranger: foreign('a pod of another namespace', 'shop', { app: 'shop' }, 6),
  roommate: foreign('another pod of the namespace', home, { app: 'cron' }, 7),
};

export const ports = [53, 80, 443, 4222, 4318, 5432, 6379, 8080, 8088, 8090, 8443, 9090, 50051] as const;
const url = (text: string): { host: string; port: number } => {
  const { hostname, port, protocol } = new URL(text);
  return { host: hostname, port: Number(port) || (protocol === 'https:' ? 443 : 80) };
};

/** The pods of a release by component. */
export function podsOf(manifests: readonly Manifest[]): Record<string, Place> {
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

/** Resolves the name of a Service to its pod and port. */
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

export interface Connection {
  readonly from: Place;
  readonly to: Place;
  readonly port: number;
  readonly protocol?: string;
}

/** The connections that the containers of a pod make according to their configuration. */
export function dialed(manifests: readonly Manifest[], pods: Record<string, Place>, name: string): Connection[] {
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
    // `migrate` validates the whole configuration, but connects only to PostgreSQL.
    if (command.includes('migrate')) continue;
    if (typeof config['natsUrl'] === 'string') add(outside.nats, 4222);
    if (typeof config['redisUrl'] === 'string') add(outside.redis, 6379);
    if (typeof config['sipAriUrl'] === 'string') add(outside.asterisk, url(config['sipAriUrl']).port);
    if (typeof config['otelExporterOtlpEndpoint'] === 'string') {
      // A collector may have any address, so only its port is restricted.
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
    // Services that connect to customers' endpoints, tools and model servers may use any address and port.
    const anywhere = ['auth', 'engine', 'insights', 'knowledge', 'voice-stack', 'webhooks'].includes(service);
    for (const port of anywhere ? ports : providerPorts(config)) add(outside.internet, port);
    if (anywhere && config['webhookAllowedCidrs'] !== undefined) {
      for (const port of ports) add(outside.receiver, port);
    }
  }
  return found;
}

/** The Internet ports of carriers and providers that a service connects to: those of addresses in its configuration, and of defaults in its code. */
function providerPorts(config: Record<string, unknown>): number[] {
  return Object.entries(config)
    .filter(([name, value]) => /ApiUrl$/.test(name) && typeof value === 'string' && value.startsWith('https://'))
    .map(([, value]) => url(value as string).port);
}
