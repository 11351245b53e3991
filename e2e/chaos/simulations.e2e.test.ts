import { Customer } from '../customer';
import { Platform } from '../platform';
import { ModelServer } from '../spoken/model-server';
import { useOwnServers } from '../spoken/own-servers';
import { until } from '../until';

interface Run extends Record<string, unknown> {
  readonly status: string;
  readonly done: number;
}

interface Page {
  readonly data: readonly { readonly scenario: string; readonly repetition: number; readonly ended_reason: string }[];
  readonly next_cursor: string | null;
}

const repetitions = 100;
const names = Array.from({ length: 10 }, (_, nth) => `caller ${nth}`);

describe('simulations under kill -9', () => {
  let platform: Platform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await Platform.start({ env: { SIMULATION_SPOKEN_CAPACITY: '2' } });
    customer = await Customer.create(platform);
  });
  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  async function conversationsOf(api: Customer['api'], path: string): Promise<string[]> {
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await api.persist((each) => each.get<Page>(`${path}/results?limit=100${cursor}`));
      seen.push(...body.data.map(({ scenario, repetition }) => `${scenario} ${repetition}`));
      if (body.next_cursor === null) return seen;
      cursor = `&cursor=${body.next_cursor}`;
    }
  }

  it('a run continues if engine and insights are killed, and each conversation is in its report once', async () => {
    const { api, organizationId, projectId, agentId } = customer;
    const made = await api.post('/v1/simulation-suites', {
      ...{ organization_id: organizationId, project_id: projectId, agent_id: agentId, name: 'Callers' },
      scenarios: names.map((name) => ({
        name,
        callee: { type: 'script', turns: ['Hello?', 'What does a cleaning cost?', 'Thank you, goodbye.'] },
        assertions: [{ type: 'ended_reason', is: 'callee_hung_up' }],
      })),
    });
    const begun = await api.post(`/v1/simulation-suites/${String(made.body.simulation_suite_id)}/runs`, {
      repetitions,
    });
    expect(begun.status).toBe(201);
    const path = `/v1/simulation-runs/${String(begun.body.simulation_run_id)}`;
    const read = async (): Promise<Run> => (await api.persist((each) => each.get<Run>(path))).body;
    await until('some conversations are reported', async () => (await read()).done > 0);
    await platform.kill('engine');
    await platform.kill('insights');
    // The lease of the killed engine's jobs runs for a minute.
    const completed = async () => {
      const run = await read();
      return run.status === 'completed' ? run : undefined;
    };
    const report = await until('the run is completed', completed, 300_000);
    expect(report).toMatchObject({ conversations: 1_000, done: 1_000, failed: 0, passed: true });
    const seen = await conversationsOf(api, path);
    expect(seen).toHaveLength(1_000);
    expect(new Set(seen).size).toBe(1_000);
  });

  it('a spoken run continues: the interrupted conversation is repeated, and each counts once', async () => {
    const models = await ModelServer.start(() => 'Good day.');
    const other = await Customer.create(platform);
    await useOwnServers(other, models, { opening: { first_speaker: 'agent' } });
    const { api, organizationId: organization_id, projectId: project_id, agentId: agent_id } = other;
    const scenario = {
      name: 'silent',
      callee: { type: 'script' },
      conditions: ['silence'],
      assertions: [{ type: 'ended_reason', is: 'no_caller_speech_after_answer' }],
    };
    const made = await api.post('/v1/simulation-suites', {
      ...{ organization_id, project_id, agent_id, name: 'Silent', scenarios: [scenario] },
    });
    const begun = await until('the run is taken', async () => {
      const path = `/v1/simulation-suites/${String(made.body.simulation_suite_id)}/runs`;
      const answer = await api.post(path, { spoken: true, repetitions: 2 });
      // A new engine may not have asked for spoken jobs yet; then the request is repeated.
      return answer.status === 201 ? answer : undefined;
    });
    // The agent greets the callee.
    await until('a conversation is under way', () => models.spoken.length > 0);
    await platform.kill('engine');
    await platform.kill('insights');
    const path = `/v1/simulation-runs/${String(begun.body.simulation_run_id)}`;
    const completed = async () => {
      const { body } = await api.persist((each) => each.get<Run>(path));
      return body.status === 'completed' ? body : undefined;
    };
    const report = await until('the run is completed', completed, 300_000);
    expect(report).toMatchObject({ conversations: 2, done: 2, failed: 0, passed: true });
    expect((await conversationsOf(api, path)).sort()).toEqual(['silent 1', 'silent 2']);
    await other.close();
    await models.stop();
  });
});
