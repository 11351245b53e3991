import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { routes } from '.';

const root = path.resolve(__dirname, '../../../..');
const textOf = (pattern: string): string =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(path.join(root, file), 'utf8'))
    .join('\n');

/** The paths that occur in the end-to-end tests, with `x` for interpolated values. */
const asked = [...textOf('e2e/**/*.ts').matchAll(/[`'"](?:\$\{[^}]*\})?(\/v1\/[^`'"?\s]*)/g)].map(([, named = '']) =>
  named.replaceAll(/\$\{[^}]*\}/g, 'x'),
);
const servicesTests = textOf('services/{auth,agents,voice-stack,knowledge,insights,telephony,webhooks}/test/**/*.ts');

it.each(Object.entries(routes))('%s is requested by a test of its service or an end-to-end test', (name, route) => {
  const form = new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  const method = route.rpc?.split('.')[1] ?? name;
  const named = new RegExp(`\\b(${name}|${route.id}|${method})\\b`).test(servicesTests);
  expect(named || asked.some((each) => form.test(each))).toBe(true);
});
