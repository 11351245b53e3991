import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { built, root } from './configuration.mts';
import { dialed, home, inside, outside, podsOf, ports, type Connection } from './connections.mts';
import { matrix } from './matrix.mts';
import { reachability, type Place } from './reachability.mts';
import { render, type Values } from './render.mts';

/**
 * Default deny and exact egress: the connections that the NetworkPolicies allow are compared, by source, destination and port, with those that the
 * configuration of the containers makes. Additional allowed connections fail as well as missing ones.
 */
/** The connections of clients outside the release. */
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
    // Other pods of the release do not request the pages of the console.
    const pages = pods['console'];
    if (welcome && pages !== undefined) found.push({ from, to: pages, port: 8080 });
    // Other pods of the release do not connect to an engine.
    const media = pods['engine']?.ports?.['media'];
    if (welcome && media !== undefined) found.push({ from, to: pods['engine'] as Place, port: media });
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
    console: { enabled: true },
    translation: { provider: 'deepl' },
    secrets: { deepl: { existingSecret: 'deepl' } },
    providerKeys: { elevenlabs: { existingSecret: 'elevenlabs' } },
  },
  'a plain job for migrations': { ...cidrs, migrations: { mode: 'job' } },
  'a subscriber of metrics': { ...cidrs, networkPolicy: { ...cidrs.networkPolicy, monitoringNamespace: 'monitoring' } },
  'calls over SIP': {
    ...cidrs,
    sip: { ariUrl: 'http://asterisk.voice.svc:8088/ari', cidrs: ['10.5.0.0/24'] },
    secrets: { sip: { existingSecret: 'asterisk' } },
    media: { publicUrl: 'wss://media.example' },
  },
  'another port for the edge': { ...cidrs, service: { port: 8088 }, fullnameOverride: 'talk' },
};

for (const [name, values] of Object.entries(cases)) {
  await test(`the NetworkPolicies allow exactly the required connections, with ${name}`, async () => {
    const { manifests } = await render(values);
    const pods = podsOf(manifests);
    assert.equal(Object.keys(pods).length, 11 + ('console' in values ? 1 : 0));
    const lets = reachability(manifests, home);
    const wanted = [...Object.keys(pods).flatMap((one) => dialed(manifests, pods, one)), ...arriving(pods, values)];
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
    // For the Internet the same rules apply with IPv6 as with IPv4.
    for (const one of wanted) if (one.to === outside.internet) needed.add(text({ ...one, to: outside.internet6 }));
    const found = possible.filter(({ from, to, port, protocol }) => lets(from, to, port, protocol));
    const missing = [...needed].filter((one) => !found.some((connection) => text(connection) === one));
    assert.deepEqual(
      { missing, surplus: found.map(text).filter((one) => !needed.has(one)) },
      { missing: [], surplus: [] },
    );
  });
}

await test('the table of docs/operating.md lists the connections of the services', async () => {
  const { manifests } = await render(cases['accounts at providers'] ?? {});
  const pods = podsOf(manifests);
  const page = readFileSync(path.join(root, 'docs/operating.md'), 'utf8');
  const section = page.split('## Network connections\n')[1]?.split('\n## ')[0] ?? '';
  const table = Object.fromEntries(
    [...section.matchAll(/^\| ([a-z][a-z-]*) +\| (.*?) +\|$/gm)].map(([, from = '', cell = '']) => {
      const said = [...cell.matchAll(/\b(?:([a-z-]+|the internet) (\d+)|the internet (on any port))/g)];
      return [from, said.map(([, to, port, any]) => (any === undefined ? `${to} ${port}` : 'the internet any')).sort()];
    }),
  );
  const made = Object.fromEntries(
    Object.keys(pods).map((name) => {
      const wanted = dialed(manifests, pods, name).filter(({ to }) => to !== inside.dns);
      const anywhere = wanted.filter(({ to }) => to === outside.internet).length === ports.length;
      const reported = wanted.map(({ to, port }) =>
        to === outside.internet && anywhere ? `${to.name} any` : `${to.name} ${port}`,
      );
      return [name, [...new Set(reported)].sort()];
    }),
  );
  assert.deepEqual(table, made);
});

await test('without the addresses of a server only its port is allowed, and only for the services that use it', async () => {
  const { manifests } = await render({});
  const pods = podsOf(manifests);
  const lets = reachability(manifests, home);
  const able = (port: number) =>
    Object.values(pods)
      .filter((from) => lets(from, outside.neighbour, port))
      .map(({ name }) => name)
      .sort();
  assert.deepEqual(able(5432), [
    'agents',
    'auth',
    'insights',
    'knowledge',
    'migrations',
    'telephony',
    'voice-stack',
    'webhooks',
  ]);
  assert.deepEqual(able(4222), ['agents', 'auth', 'insights', 'knowledge', 'telephony', 'webhooks']);
  assert.deepEqual(able(6379), ['gateway']);
  assert.deepEqual(able(443), []);
});

await test('the NetworkPolicy of webhooks allows the same addresses as their own guard', async () => {
  const { isGlobalAddress } = built('libs/service/dist/addresses/address-policy.rules.js') as {
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

/** The first and last address of each special-purpose IPv4 block, the addresses just outside, and many others. */
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
  // Evenly distributed addresses: multiples of a number that is coprime to 2^32.
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
