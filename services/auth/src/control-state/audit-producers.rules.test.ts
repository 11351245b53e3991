import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { checkProducer } from './audit-producers.rules';

const services = path.resolve(__dirname, '../../..');

/** Every action that a service publishes to the audit log, found by searching its source. */
const published = ['agents', 'insights', 'knowledge', 'telephony', 'webhooks'].flatMap((service) =>
  globSync(`${service}/src/**/*.ts`, { cwd: services, exclude: (file) => file.endsWith('.test.ts') }).flatMap((file) =>
    [...readFileSync(path.join(services, file), 'utf8').matchAll(/(?:action: |audit\(tx, )'([a-z_]+\.[a-z_]+)'/g)].map(
      ([, action = '']) => [action, service] as const,
    ),
  ),
);

it('the search finds audit actions of all five services', () => {
  expect(new Set(published.map(([, service]) => service)).size).toBe(5);
  expect(published.length).toBeGreaterThan(30);
});

it.each(published)('%s is accepted from %s and rejected from any other service', (action, service) => {
  expect(checkProducer(`audit.v1.org_1.${service}`, action)).toBeUndefined();
  const other = service === 'webhooks' ? 'telephony' : 'webhooks';
  expect(checkProducer(`audit.v1.org_1.${other}`, action)).toContain(service);
});
