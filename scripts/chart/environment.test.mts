import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import { test } from 'node:test';
import { serviceNames } from '../platform/services.mts';
import { matrix } from './matrix.mts';
import { podOf } from './policies.mts';
import { render, type Manifest } from './render.mts';

/**
 * Each container's environment, as the chart renders it, is given to the configuration class of the service that reads it: wire names and
 * defaults are those of the code, not of the chart's author.
 */
const root = path.resolve(import.meta.dirname, '../..');
const load = createRequire(import.meta.url);
const { loadConfig, variableOf } = load(path.join(root, 'libs/runtime/dist/config/load-config.js')) as {
  loadConfig: (cls: new () => object, env: NodeJS.ProcessEnv) => Record<string, unknown>;
  variableOf: (property: string) => string;
};

/** What the Secrets hold, by the variable that reads them. */
const key = Buffer.alloc(32).toString('base64');
const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://role:password@postgresql:5432/parley',
  MIGRATIONS_DATABASE_URL: 'postgres://postgres:password@postgresql:5432/parley',
  NATS_URL: 'nats://nats:4222',
  REDIS_URL: 'redis://redis:6379',
  TOKEN_PEPPERS: `1:${key}`,
  VAULT_KEYS: `k1:${key}`,
  SERVICE_WORKER_API_TOKEN: workerToken(),
};

interface Variable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { secretKeyRef?: { name: string; key: string }; fieldRef?: { fieldPath: string } };
}

function valueOf({ name, value, valueFrom }: Variable): string {
  if (value !== undefined) return value;
  if (valueFrom?.fieldRef !== undefined) return 'pod';
  const secret = secrets[name];
  assert.ok(secret !== undefined, `${name} comes from a Secret that this test does not know`);
  return secret;
}

function configOf(service: string): new () => object {
  const exported = load(path.join(root, 'services', service, 'dist/config.js')) as Record<string, new () => object>;
  const cls = Object.entries(exported).find(([name]) => name.endsWith('Config'))?.[1];
  assert.ok(cls, `services/${service} has no configuration class`);
  return cls;
}

function workerToken(): string {
  const { tokenChecksum } = load(path.join(root, 'libs/contract/dist/token.js')) as {
    tokenChecksum(text: string): string;
  };
  const body = `tai_${'0'.repeat(32)}`;
  return body + tokenChecksum(body);
}

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
      const environment = Object.fromEntries(env.map((one) => [one.name, valueOf(one)]));
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
