import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Variable } from './policies.mts';

/** The configuration classes of the services, and the environment of a container if its Secrets contain plausible values. */
export const root = path.resolve(import.meta.dirname, '../..');
export const load = createRequire(import.meta.url);
export const { loadConfig, variableOf } = load(path.join(root, 'libs/runtime/dist/config/load-config.js')) as {
  loadConfig: (cls: new () => object, env: Readonly<Record<string, string>>) => Record<string, unknown>;
  variableOf: (property: string) => string;
};

/** A compiled file of a service or library, such as `services/auth/dist/config.js`. */
export const built = (file: string): unknown => load(path.join(root, file));

/** Plausible values of Secrets, by the variable that reads them. */
const key = Buffer.alloc(32).toString('base64');
const secrets: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://role:password@postgresql:5432/parley',
  MIGRATIONS_DATABASE_URL: 'postgres://postgres:password@postgresql:5432/parley',
  NATS_URL: 'nats://nats:4222',
  REDIS_URL: 'redis://redis:6379',
  TOKEN_PEPPERS: `1:${key}`,
  VAULT_KEYS: `k1:${key}`,
  CONSOLE_KEYS: `k1:${key}`,
  SERVICE_WORKER_API_TOKEN: workerToken(),
  SIMULATION_WORKER_API_TOKEN: workerToken(),
  DEEPL_AUTH_KEY: 'deepl',
  VERIFICATION_PROVIDER_SECRET: `whsec_${key}`,
  SIP_ARI_PASSWORD: 'secret',
  RECORDINGS_S3_ACCESS_KEY_ID: 'account',
  RECORDINGS_S3_SECRET_ACCESS_KEY: 'secret',
};

function valueOf({ name, value, valueFrom }: Variable): string {
  if (value !== undefined && !value.startsWith('/etc/parley/secrets/')) return value;
  if (valueFrom?.fieldRef !== undefined) return 'pod';
  const secret = /^PROVIDER_[A-Z0-9]+_API_KEY$/.test(name) ? 'account' : secrets[name];
  assert.ok(secret !== undefined, `${name} comes from a Secret that the tests do not know`);
  return secret;
}

/** The environment of a container's process. */
export const environmentOf = (variables: readonly Variable[]): Record<string, string> =>
  Object.fromEntries(variables.map((one) => [variableOfFile(one), valueOf({ ...one, name: variableOfFile(one) })]));

/** If the variable names a file of a Secret, the name of the variable that would contain the value itself. */
const variableOfFile = ({ name, value = '' }: Variable): string =>
  value.startsWith('/etc/parley/secrets/') ? name.replace(/_FILE$/, '') : name;

export function configOf(service: string): new () => object {
  const exported = built(`services/${service}/dist/config.js`) as Record<string, new () => object>;
  const cls = Object.entries(exported).find(([name]) => name.endsWith('Config'))?.[1];
  assert.ok(cls, `services/${service} has no configuration class`);
  return cls;
}

function workerToken(): string {
  const { tokenChecksum } = built('libs/contract/dist/token.js') as { tokenChecksum(text: string): string };
  const body = `tai_${'0'.repeat(32)}`;
  return body + tokenChecksum(body);
}
