import assert from 'node:assert/strict';
import { test } from 'node:test';
import { serviceNames } from '../platform/services.mts';
import { configOf, environmentOf, loadConfig, variableOf } from './configuration.mts';
import { matrix } from './matrix.mts';
import { podOf } from './policies.mts';
import { render, type Manifest } from './render.mts';

/**
 * Each container's environment, as the chart renders it, is given to the configuration class of the service that reads it: wire names and
 * defaults are those of the code, not of the chart's author.
 */
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

for (const [name, values] of Object.entries(matrix)) {
  await test(`every environment is what its service reads, with ${name}`, async () => {
    const { manifests } = await render(values);
    const found = containers(manifests);
    assert.deepEqual(
      found
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ service }) => service)
        .sort(),
      [...serviceNames].sort(),
    );
    for (const { service, env } of found) {
      assert.equal(new Set(env.map((one) => one.name)).size, env.length, `${service} has a variable twice`);
      const environment = environmentOf(env);
      const config = loadConfig(configOf(service), environment);
      const known = new Set(Object.keys(config).map(variableOf));
      const foreign = Object.keys(environment).filter((variable) => !known.has(variable) && variable !== 'FORCE_COLOR');
      assert.deepEqual(foreign, [], `${service} reads none of these`);
      assert.equal(config['parleyEnv'], 'production');
    }
  });
}

await test('variables that a service cannot start without are all there', async () => {
  const { manifests } = await render({});
  for (const { service, env } of containers(manifests)) {
    const given = new Set(env.map(({ name }) => name));
    if (service !== 'gateway' && service !== 'engine') assert.ok(given.has('DATABASE_URL'), service);
  }
});
