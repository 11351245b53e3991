/** 1,000 simulated conversations with assertions over REST, with the scripted model, and the same run again. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { forgetHome, newHome, startPlatform, type BenchPlatform } from '../platform.mts';
import type { BenchRow } from '../row.mts';

const repetitions = 100;
const boundSeconds = 60;

const scenarios = Array.from({ length: 10 }, (_, nth) => ({
  name: `caller ${nth}`,
  callee: { type: 'script', turns: ['Hello?', `What does number ${nth} cost?`, 'Thank you, goodbye.'] },
  assertions: [
    { type: 'said', text: 'practice' },
    { type: 'not_said', text: 'dollars' },
    { type: 'said_matching', pattern: '\\w+', by: 'callee' },
    { type: 'turns_at_most', turns: 12 },
    { type: 'ended_reason', is: 'callee_hung_up' },
    { type: 'latency_at_most', ms: 5_000 },
  ],
}));

type Body = Record<string, unknown>;

async function send(platform: BenchPlatform, method: string, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${platform.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${platform.development.admin_key}`, 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = (await response.json()) as Body;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer;
}

/** Waits until a run is completed. @returns its report, and the seconds that it took */
async function run(platform: BenchPlatform, suite: string): Promise<{ report: Body; seconds: number }> {
  const begun = performance.now();
  const { simulation_run_id: id } = await send(platform, 'POST', `/v1/simulation-suites/${suite}/runs`, {
    repetitions,
  });
  for (;;) {
    const report = await send(platform, 'GET', `/v1/simulation-runs/${String(id)}`);
    if (report.status === 'completed') return { report, seconds: (performance.now() - begun) / 1000 };
    await pause(200);
  }
}

const withoutNames = ({ simulation_run_id: _id, created_at: _begun, finished_at: _over, ...rest }: Body): Body => rest;

export const bench: BenchRow = {
  title: 'simulations',
  async run() {
    const home = newHome();
    const platform = await startPlatform(home);
    try {
      const { organization_id, project_id } = platform.development;
      const agent = await send(platform, 'POST', '/v1/agents', {
        ...{ organization_id, project_id, mode: 'hosted', name: 'bench', language: 'en' },
        first_message: 'Practice of Dr. Weber.',
      });
      const suite = { organization_id, project_id, agent_id: agent.agent_id, name: 'bench', scenarios };
      const { simulation_suite_id: id } = await send(platform, 'POST', '/v1/simulation-suites', suite);
      const [one, other] = [await run(platform, String(id)), await run(platform, String(id))];
      const rows = [one, other].map(({ report, seconds }, nth) => ({
        run: nth + 1,
        conversations: report.done,
        'in which an assertion did not hold': report.failed,
        seconds: Math.round(seconds * 10) / 10,
        [`under ${boundSeconds} s`]: seconds < boundSeconds ? 'yes' : 'no',
      }));
      const same = isDeepStrictEqual(withoutNames(one.report), withoutNames(other.report));
      return [
        { title: `${scenarios.length} scenarios of three turns, ${repetitions} times each, six assertions`, rows },
        { title: 'the report of the second run', rows: [{ 'the same as the first': same ? 'yes' : 'no' }] },
      ];
    } finally {
      await platform.stop();
      forgetHome(home);
    }
  },
};
