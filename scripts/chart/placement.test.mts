import assert from 'node:assert/strict';
import { test } from 'node:test';
import { podOf, policyViolations, type PodSpec, type Variable } from './policies.mts';
import { render, type Manifest, type Values } from './render.mts';
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

async function rendered(values: Values): Promise<readonly Manifest[]> {
  const { manifests } = await render(values);
  assert.deepEqual(manifests.flatMap(policyViolations), []);
  return manifests;
}
/** The pods that belong to no service, by the key of their values. */
async function pods(values: Values): Promise<Readonly<Record<'migrations' | 'tests', Pod>>> {
  const found = (await rendered(values)).filter(({ kind }) => kind === 'Job' || kind === 'Pod');
  assert.deepEqual(typeErrors(found), []);
  const of = (kind: string): Pod => {
    const manifest = found.find((one) => one.kind === kind);
    assert.ok(manifest, kind);
    return podOf(manifest) as Pod;
  };
  return { migrations: of('Job'), tests: of('Pod') };
}
const pick = (pod: Pod): object =>
  Object.fromEntries(fields.filter((name) => pod[name] !== undefined).map((name) => [name, pod[name]]));

for (const name of ['migrations', 'tests'] as const) {
  await test(`the pod of ${name} has the placement and name resolution of defaults`, async () => {
    assert.deepEqual(pick((await pods({}))[name]), {});
    assert.deepEqual(pick((await pods({ defaults }))[name]), defaults);
  });

  await test(`values of ${name} replace those of defaults, also with nothing`, async () => {
    assert.deepEqual(pick((await pods({ defaults, [name]: own }))[name]), own);
    const nothing = {
      nodeSelector: {},
      tolerations: [],
      affinity: {},
      priorityClassName: '',
      hostAliases: [],
      dnsPolicy: '',
      dnsConfig: {},
    };
    const others = { migrations: 'tests', tests: 'migrations' } as const;
    const found = await pods({ defaults, [name]: nothing });
    assert.deepEqual(pick(found[name]), {});
    assert.deepEqual(pick(found[others[name]]), defaults);
  });

  await test(`the pod of ${name} does not wait for pods of the release, as podAffinity of defaults could require`, async () => {
    const near = {
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: 'topology.kubernetes.io/zone',
          labelSelector: { matchLabels: { 'app.kubernetes.io/component': 'gateway' } },
        },
      ],
    };
    const found = await pods({ defaults: { affinity: { podAffinity: near, podAntiAffinity: near, nodeAffinity } } });
    assert.deepEqual(found[name]['affinity'], { nodeAffinity });
    assert.equal((await pods({ defaults: { affinity: { podAffinity: near } } }))[name]['affinity'], undefined);
  });
}

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

await test('a plain Job has another name if its placement or its variables change', async () => {
  const names = await Promise.all(
    [
      {},
      { defaults: { nodeSelector: { disk: 'ssd' } } },
      { migrations: { nodeSelector: { disk: 'ssd' } } },
      { defaults: { envFrom: [{ secretRef: { name: 'more' } }] } },
      { migrations: { initContainers: [{ name: 'proxy', image: 'proxy:1' }] } },
    ].map(async (values: { migrations?: object; defaults?: object }) => {
      const manifests = await rendered({ ...values, migrations: { ...values.migrations, mode: 'job' } });
      return manifests.find(({ kind }) => kind === 'Job')?.metadata.name;
    }),
  );
  assert.equal(new Set(names).size, names.length);
});
