/** Tests parley simulate against the platform: suites in files, a failed assertion, a target, a baseline, and invalid suites. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Parley, type SimulationRun } from '../../clients/typescript/dist/index.js';
import { CommandLine } from './cli.mts';
import type { Check, ClientWorld } from './world.mts';

interface Outcome {
  readonly suite: string;
  readonly run: SimulationRun | null;
}

const agent = (greeting: string): string =>
  `---\nname: Reception\nlanguages: [en]\nfirst_message: ${greeting}\n---\nYou are the receptionist of a dental practice.\n`;

const suite = (greeting: string, condition = ''): string => `agent: reception
name: Greeting
scenarios:
  - name: is greeted
    callee: { type: script, turns: ['Hello?', 'Thank you.'] }
    assertions:
      - { type: said, text: ${greeting}, by: agent }
      - { type: ended_reason, is: callee_hung_up }
${condition}`;

async function simulating(world: ClientWorld): Promise<void> {
  const cli = new CommandLine(world);
  const parley = new Parley({ apiKey: cli.key, baseUrl: cli.baseUrl });
  await cli.login();
  cli.write(agent('Good morning'));
  const [applied] = await cli.json<{ agent_id: string }[]>('apply', '--project', world.projectId);
  assert.ok(applied);
  mkdirSync(path.join(cli.folder, 'suites'));
  const file = path.join(cli.folder, 'suites/greeting.yaml');
  const simulate = async (...args: string[]) => {
    const { code, stdout, stderr } = await cli.run(['simulate', ...args]);
    return { code, stderr, outcomes: stdout === '' ? [] : (JSON.parse(stdout) as Outcome[]) };
  };
  const own = async () =>
    (await parley.simulationSuites.listSimulationSuites()).data.filter(({ agent_id: id }) => id === applied.agent_id);

  writeFileSync(file, suite('good morning'));
  const first = await simulate('--repetitions', '3', '--junit', 'junit.xml');
  assert.equal(first.code, 0, first.stderr);
  assert.deepEqual([first.outcomes[0]?.run?.done, first.outcomes[0]?.run?.passed], [3, true]);
  assert.match(first.stderr, /3 of 3/);
  assert.match(readFileSync(path.join(cli.folder, 'junit.xml'), 'utf8'), /tests="1" failures="0" errors="0"/);

  // The same file results in the same suite with the same revision.
  assert.equal((await simulate()).code, 0);
  assert.deepEqual(
    (await own()).map(({ revision }) => revision),
    [1],
  );

  // Reports failed assertions by the id of the suite.
  writeFileSync(file, suite('good night'));
  const failed = await simulate('--junit', 'junit.xml');
  assert.equal(failed.code, 6, failed.stderr);
  assert.match(
    readFileSync(path.join(cli.folder, 'junit.xml'), 'utf8'),
    /<failure message="said text=&quot;good night&quot;/,
  );
  const [known] = await own();
  assert.ok(known);
  assert.equal((await simulate(known.simulation_suite_id, '--against', 'draft')).code, 6);

  // A later version of the agent says the text, the earlier one does not.
  cli.write(agent('Good night'));
  await cli.json('apply');
  const later = await simulate('--baseline', failed.outcomes[0]?.run?.simulation_run_id ?? '');
  assert.equal(later.code, 0, later.stderr);
  assert.deepEqual(
    later.outcomes[0]?.run?.differences?.map(({ change }) => change),
    ['fixed'],
  );
  const version = failed.outcomes[0]?.run?.publication_version;
  assert.ok(version);
  assert.equal((await simulate('--against', String(version))).code, 6);

  // Invalid suites.
  writeFileSync(file, suite('good night', '    conditions: [noise]\n'));
  const refused = await simulate();
  assert.equal(refused.code, 2, refused.stderr);
  assert.match(refused.stderr, /cannot run: scenario "is greeted": /);
}

export const cliSimulateChecks: readonly Check[] = [
  { name: 'command line: simulate, from a file to what changed since an earlier run', run: simulating },
];
