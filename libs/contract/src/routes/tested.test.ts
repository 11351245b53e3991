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

/** Actions that no test names: the fuzz tests compare those that they cause. The list may only become shorter. */
const unnamed = new Set<string>([
  'agent.secret_rotated',
  'agent_endpoint.recovered',
  'call.hang_up',
  'call.mute',
  'call.pause_recording',
  'call.press',
  'call.resume_recording',
  'call.transfer',
  'campaign.paused',
  'campaign.resumed',
  'campaign_review.approved',
  'campaign_review.rejected',
  'connection.created',
  'connection.deleted',
  'connection.updated',
  'erasure.requested',
  'extraction.rerun',
  'maintenance.set',
  'simulation_run.canceled',
  'simulation_run.started',
  'simulation_suite.created',
  'simulation_suite.deleted',
  'simulation_suite.updated',
  'test_call.created',
]);
const actions = new Set(Object.values(routes).flatMap(({ audit }): readonly string[] => audit));
const tests = servicesTests + textOf('e2e/**/*.ts');

it.each([...actions].filter((action) => !unnamed.has(action)))(
  'the entry %s of the audit log is expected by a test of its service or an end-to-end test',
  (action) => {
    expect(tests.includes(`'${action}'`)).toBe(true);
  },
);

it('the actions that no test names exist, and no test names them', () => {
  expect([...unnamed].filter((action) => !actions.has(action) || tests.includes(`'${action}'`))).toEqual([]);
});
