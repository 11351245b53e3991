import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podOf, policyViolations, type PodSpec, type Variable } from './policies.mts';
import { render, renderedHere, type Values } from './render.mts';
import { typeErrors } from './typed.mts';

/**
 * The pods of the migrations and of `helm test` belong to no service, but run in the same cluster: on its nodes, with its DNS and with what its database needs.
 * A hook that cannot run blocks each install and upgrade.
 */
type Pod = PodSpec & Readonly<Record<string, unknown>>;

const fields = [
  'nodeSelector',
  'tolerations',
  'affinity',
  'priorityClassName',
  'hostAliases',
  'dnsPolicy',
  'dnsConfig',
] as const;
const nodeAffinity = {
  requiredDuringSchedulingIgnoredDuringExecution: {
    nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['voice'] }] }],
  },
};
const defaults = {
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'voice', operator: 'Exists' }],
  affinity: { nodeAffinity },
  priorityClassName: 'high',
  hostAliases: [{ ip: '10.0.0.1', hostnames: ['postgresql'] }],
  dnsPolicy: 'None',
  dnsConfig: { nameservers: ['10.0.0.2'] },
};
const own = {
  nodeSelector: { pool: 'operations' },
  tolerations: [{ key: 'operations', operator: 'Exists' }],
  affinity: { podAntiAffinity: {} },
  priorityClassName: 'low',
  hostAliases: [{ ip: '10.0.0.9', hostnames: ['postgresql'] }],
  dnsPolicy: 'Default',
  dnsConfig: { searches: ['example'] },
};

/** The pods that belong to no service, by the key of their values. */
type Pods = Readonly<Record<'migrations' | 'tests', Pod>>;

async function pods(values: Values): Promise<Pods> {
  const { manifests: found } = await render(values);
  const of = (kind: string): Pod => {
    const manifest = found.find((one) => one.kind === kind);
    assert.ok(manifest, kind);
    return podOf(manifest) as Pod;
  };
  return { migrations: of('Job'), tests: of('Pod') };
}
const pick = (pod: Pod): object =>
  Object.fromEntries(fields.filter((name) => pod[name] !== undefined).map((name) => [name, pod[name]]));

const both = ['migrations', 'tests'] as const;

await test('the pods of migrations and tests have the placement and name resolution of defaults', async () => {
  const [plain, placed] = [await pods({}), await pods({ defaults })];
  for (const name of both) {
    assert.deepEqual(pick(plain[name]), {});
    assert.deepEqual(pick(placed[name]), defaults);
  }
});

await test('values of migrations and tests replace those of defaults, also with nothing', async () => {
  const nothing = {
    nodeSelector: {},
    tolerations: [],
    affinity: {},
    priorityClassName: '',
    hostAliases: [],
    dnsPolicy: '',
    dnsConfig: {},
  };
  for (const [name, other] of [both, both.toReversed()] as [keyof Pods, keyof Pods][]) {
    assert.deepEqual(pick((await pods({ defaults, [name]: own }))[name]), own);
    const found = await pods({ defaults, [name]: nothing });
    assert.deepEqual([pick(found[name]), pick(found[other])], [{}, defaults]);
  }
});

await test('the pods of migrations and tests do not wait for pods of the release, as podAffinity of defaults could require', async () => {
  const near = {
    requiredDuringSchedulingIgnoredDuringExecution: [
      {
        topologyKey: 'topology.kubernetes.io/zone',
        labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'gateway' } },
      },
    ],
  };
  const found = await pods({ defaults: { affinity: { podAffinity: near, podAntiAffinity: near, nodeAffinity } } });
  const alone = await pods({ defaults: { affinity: { podAffinity: near } } });
  for (const name of both) {
    assert.deepEqual(found[name]['affinity'], { nodeAffinity });
    assert.equal(alone[name]['affinity'], undefined);
  }
});

await test('migrations have the variables of their services, and their own in addition or instead', async () => {
  const reference = (name: string) => ({ name, valueFrom: { secretKeyRef: { name: 'more', key: name } } });
  const inherited = {
    defaults: { env: { ONE: '1', TWO: '2' }, extraEnv: [reference('THREE'), reference('FOUR')] },
    services: { auth: { env: { FIVE: '5' } } },
  };
  const variables = async (values: Values): Promise<Readonly<Record<string, readonly Variable[]>>> => {
    const { migrations } = await pods(values);
    return Object.fromEntries(
      migrations.containers.map(({ name, env }) => [
        name,
        (env ?? []).filter((one) => ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX'].includes(one.name)),
      ]),
    );
  };
  const plain = await variables(inherited);
  const first = [
    { name: 'ONE', value: '1' },
    { name: 'TWO', value: '2' },
  ];
  assert.deepEqual(plain['agents'], [...first, reference('THREE'), reference('FOUR')]);
  assert.deepEqual(plain['auth'], [{ name: 'FIVE', value: '5' }, ...plain['agents']]);
  const set = await variables({
    ...inherited,
    migrations: { env: { ONE: '', THREE: '3' }, extraEnv: [reference('TWO'), reference('SIX')] },
  });
  // Each name once, and none of the inherited ones that were replaced.
  assert.deepEqual(set['agents'], [
    { name: 'ONE', value: '' },
    { name: 'THREE', value: '3' },
    reference('FOUR'),
    reference('TWO'),
    reference('SIX'),
  ]);
});

await test('migrations have envFrom of their services, or their own', async () => {
  const from = (name: string) => [{ configMapRef: { name } }];
  const envFrom = async (migrations: Values) => {
    const found = await pods({
      defaults: { envFrom: from('every') },
      services: { auth: { envFrom: from('auth') } },
      migrations,
    });
    const containers = found.migrations.containers as readonly { name: string; envFrom?: object[] }[];
    return ['agents', 'auth'].map((name) => containers.find((one) => one.name === name)?.envFrom);
  };
  assert.deepEqual(await envFrom({}), [from('every'), from('auth')]);
  assert.deepEqual(await envFrom({ envFrom: from('own') }), [from('own'), from('own')]);
  assert.deepEqual(await envFrom({ envFrom: [] }), [undefined, undefined]);
});

await test('migrations start only their own init containers, such as the proxy of a database', async () => {
  const proxy = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' };
  const inherited = await pods({ defaults: { initContainers: [{ name: 'waits', image: 'waits:1' }] } });
  assert.equal(inherited.migrations['initContainers'], undefined);
  assert.equal(inherited.tests['initContainers'], undefined);
  const { migrations } = await pods({ migrations: { initContainers: [proxy] } });
  assert.deepEqual(migrations['initContainers'], [proxy]);
});

await test('every manifest of these values keeps the policies and has the fields of its kind', () => {
  assert.deepEqual(renderedHere().flatMap(policyViolations), []);
  assert.deepEqual(typeErrors(renderedHere()), []);
});
