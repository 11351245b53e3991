import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { serviceNames } from '../platform/services.mts';
import type * as Contract from '@parley/contract';
import { built, configOf, environmentOf, loadConfig, variableOf } from './configuration.mts';
import { matrix } from './matrix.mts';
import { podOf, type PodSpec } from './policies.mts';
import { chart, manifestsOf, render, type Manifest, type Values } from './render.mts';
import { typeErrors } from './typed.mts';

/** Each container's rendered environment is validated by the configuration class of its service, so that names and defaults are those in the code. */
const servicesOf = ({ console: pages }: Values): string[] =>
  [...serviceNames, ...((pages as { enabled?: boolean } | undefined)?.enabled === true ? ['console'] : [])].sort();

/** Variables for Node and libraries, which are not part of the services' configuration. */
const ofNode: readonly string[] = ['FORCE_COLOR', 'NODE_EXTRA_CA_CERTS'];

const containers = (manifests: readonly Manifest[]) =>
  manifests
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap((manifest) =>
      (podOf(manifest)?.containers ?? []).map(({ name, env }) => ({
        kind: manifest.kind,
        service: name,
        env: env ?? [],
      })),
    );

await test('every environment contains exactly the variables that its service reads', async () => {
  for (const [name, values] of Object.entries(matrix)) {
    const found = containers((await render(values)).manifests);
    const deployed = found.filter(({ kind }) => kind === 'Deployment').map(({ service }) => service);
    assert.deepEqual(deployed.sort(), servicesOf(values), name);
    for (const { service, env } of found) {
      const where = `${service}, with ${name}`;
      assert.equal(new Set(env.map((one) => one.name)).size, env.length, `a variable twice: ${where}`);
      const environment = environmentOf(env);
      const config = loadConfig(configOf(service), environment);
      const known = new Set([...Object.keys(config).map(variableOf), ...ofNode]);
      assert.deepEqual(
        Object.keys(environment).filter((variable) => !known.has(variable)),
        [],
        `not read: ${where}`,
      );
      assert.equal(config['parleyEnv'], 'production', where);
    }
  }
});

await test('a pod is killed when its drain has ended and not before', async () => {
  for (const [name, values] of Object.entries(matrix)) {
    for (const manifest of (await render(values)).manifests.filter(({ kind }) => kind === 'Deployment')) {
      const pod = podOf(manifest);
      const [container] = pod?.containers ?? [];
      assert.ok(container);
      const { drainSeconds } = loadConfig(configOf(container.name), environmentOf(container.env ?? []));
      const preStop = container.lifecycle?.preStop?.sleep.seconds ?? 0;
      // The drain, preStop, and five seconds for the beginning of the drain and the forced exit after it.
      const seconds = Number(drainSeconds) + preStop + 5;
      assert.equal(pod?.terminationGracePeriodSeconds, seconds, `${container.name}, with ${name}`);
    }
  }
});

const publicUrl = 'https://voice.example';
const ingress = { enabled: true, host: 'voice.example' };
const httpRoute = { enabled: true, parentRefs: [{ name: 'edge' }], hostnames: ['voice.example'] };
await test('gateway and console trust the proxies in front of them', async () => {
  for (const [name, values, expected] of [
    ['nothing in front', {}, '0'],
    ['an Ingress', { publicUrl, ingress }, '1'],
    ['an HTTPRoute', { publicUrl, httpRoute }, '1'],
    ['both', { publicUrl, ingress, httpRoute }, '1'],
    ['an Ingress behind a load balancer', { publicUrl, ingress, trustedProxies: 2 }, '2'],
    ['an Ingress that appends nothing', { publicUrl, ingress, trustedProxies: 0 }, '0'],
    ['a proxy that the chart does not make', { trustedProxies: 1 }, '1'],
  ] as const) {
    const { manifests } = await render({ ...values, console: { enabled: true } });
    const found = containers(manifests).flatMap(({ service, env }) =>
      env.flatMap((one) => (one.name === 'TRUSTED_PROXIES' ? [`${service} ${one.value}`] : [])),
    );
    assert.deepEqual(found.sort(), [`console ${expected}`, `gateway ${expected}`], name);
  }
});

await test('the drain of each service is that of its code, and that of the engine outlasts the longest call', async () => {
  const { manifests } = await render({});
  const { AgentTurnTaking, boundsOf } = built('libs/contract/dist/index.js') as typeof Contract;
  const deployed = containers(manifests).filter(({ kind }) => kind === 'Deployment');
  for (const { service, env } of deployed) {
    const { DRAIN_SECONDS: _, ...others } = environmentOf(env);
    const { drainSeconds } = loadConfig(configOf(service), others);
    assert.equal(env.find(({ name }) => name === 'DRAIN_SECONDS')?.value, String(drainSeconds), service);
    if (service === 'engine') assert.equal(drainSeconds, boundsOf(AgentTurnTaking, 'max_call_seconds').max + 120);
  }
});

await test('the example of an Asterisk serves the REST interface that its comment has the release use, with the same password', async () => {
  const text = readFileSync(path.join(chart, 'examples/asterisk.yaml'), 'utf8');
  const manifests = manifestsOf(text);
  assert.deepEqual(typeErrors(manifests), []);
  const [, ariUrl = '', existingSecret = ''] =
    /--set sip\.ariUrl=(\S+) --set secrets\.sip\.existingSecret=(\S+)/.exec(text) ?? [];
  const { hostname, port } = new URL(ariUrl);
  const service = manifests.find(
    ({ kind, metadata }) => kind === 'Service' && hostname.startsWith(`${metadata.name}.`),
  );
  assert.deepEqual(
    (service?.spec?.['ports'] as { port: number }[] | undefined)?.map((one) => String(one.port)),
    [port],
  );
  const [asterisk] = manifests.flatMap((one) => podOf(one) ?? []) as (PodSpec & {
    readonly initContainers: PodSpec['containers'];
  })[];
  const released = await render({ sip: { ariUrl }, secrets: { sip: { existingSecret } } });
  const passwords = containers(released.manifests).flatMap(({ env }) =>
    env.filter(({ name }) => name === 'SIP_ARI_PASSWORD').map(({ valueFrom }) => valueFrom),
  );
  const password = asterisk?.initContainers[0]?.env?.[0]?.valueFrom;
  assert.deepEqual([...new Set(passwords.map((one) => JSON.stringify(one)))], [JSON.stringify(password)]);
});
