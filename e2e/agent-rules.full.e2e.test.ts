import { agentTables } from './agent-rules/agent-tables';
import { Examiner } from './agent-rules/examiner';
import { followCaller, ineligibleReasons } from './agent-rules/language-tables';
import { emptyGreeting, preserved, saveTables, toolBudget } from './agent-rules/save-tables';
import { navigationReplaced, tuningTables } from './agent-rules/tuning-tables';
import { Customer } from './customer';
import { Platform } from './platform';

/** Tests the validation rules of agents over HTTP: each limit from both sides, and that a refused request changes nothing. */
describe('the rules of agents', () => {
  let platform: Platform;
  let customer: Customer;
  let examiner: Examiner;

  beforeAll(async () => {
    platform = await Platform.shared();
    customer = await Customer.create(platform);
    const projects = `/v1/organizations/${customer.organizationId}/projects`;
    examiner = new Examiner(customer, String((await customer.api.post(projects, { name: 'Empty' })).body.project_id));
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it.each(Object.entries({ ...agentTables, ...saveTables, ...tuningTables }))('%s', async (_section, rows) => {
    expect(await examiner.reportedErrors(rows)).toEqual([]);
  });

  it.each([
    ['language_profiles preserved', preserved],
    ['empty greeting', emptyGreeting],
    ['navigation replaced whole', navigationReplaced],
    ['tool names', toolBudget],
    ['scope all, scope selected, AgentFollowCaller scope', followCaller],
    ['AgentNavigationStatus ineligible_reason', ineligibleReasons],
  ])('%s', async (_rule, rows) => {
    expect(await examiner.reportedErrors(rows)).toEqual([]);
  });

  it('an agent in mode external_audio lacks an address until its project has one endpoint, and again with a second one', async () => {
    const { api, organizationId } = customer;
    const workspace = { organization_id: organizationId, project_id: examiner.emptyProjectId };
    const audio = { ...workspace, webhook_url: customer.receiver.url, audio_stream_url: 'ws://127.0.0.1:9/' };
    const { body: agent } = await api.post('/v1/agents', { ...workspace, name: 'audio', mode: 'external_audio' });
    const lacks = async () => {
      const { body } = await api.get(`/v1/agents/${String(agent.agent_id)}/voice-stack`);
      return (body.warnings as string[]).some((warning) => warning.startsWith('address_missing: '));
    };
    const answers = [await lacks()];
    const { body: first } = await api.post('/v1/agent-endpoints', audio);
    answers.push(await lacks());
    await api.post('/v1/agent-endpoints', audio);
    answers.push(await lacks());
    await api.delete(`/v1/agent-endpoints/${String(first.agent_endpoint_id)}`);
    answers.push(await lacks());
    await api.delete(`/v1/agents/${String(agent.agent_id)}`);
    expect(answers).toEqual([true, false, true, false]);
  });

  it('a rejected creation creates no agent', async () => {
    const list = await customer.api.get(`/v1/agents?project_id=${examiner.emptyProjectId}`);
    expect(list.body.data).toEqual([]);
  });
});
