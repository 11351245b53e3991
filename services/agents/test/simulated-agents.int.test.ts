import type { CallTuning } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { jsonOf } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { AgentsPlatform, type Customer } from './agents-platform';
import { blankWorkflow, workflowsOf } from './workflow-requests';

describe('GetAgentForSimulation (docs/reference/simulations.md)', () => {
  let platform: AgentsPlatform;
  let customer: Customer;

  beforeAll(async () => {
    platform = await AgentsPlatform.start();
    customer = platform.customer();
  });

  afterAll(() => platform?.stop());

  const ask = (agentId: string, target: string, version = 0, of = customer): Promise<AgentForCall> =>
    of.clients.rpcs.getAgentForSimulation(
      { organizationId: '', agentId, target, version },
      { requestId: 'test', caller: customerCaller(of.organizationId) },
    );

  /** Creates an agent with two publications; the second has another prompt. */
  const published = async (): Promise<string> => {
    const agentId = await customer.agent({ language: 'en' });
    await customer.save(agentId, { languages: ['en'], system_prompt: 'one' });
    await customer.save(agentId, { system_prompt: 'two' });
    return agentId;
  };

  const workflowOf = ({ tuning }: AgentForCall) =>
    tuning === undefined ? undefined : jsonOf<CallTuning>(tuning).workflow;

  it('returns the published agent as for a call', async () => {
    const agentId = await published();
    expect(await ask(agentId, 'published')).toEqual(await customer.forCall(agentId));
  });

  it('returns an earlier publication', async () => {
    const agentId = await published();
    const now = await customer.forCall(agentId);
    const before = await ask(agentId, 'version', 1);
    expect(before).toMatchObject({ agentId, publicationVersion: 1, blockers: [] });
    const { data } = await customer.publications(agentId);
    expect(data.find(({ version }) => version === 1)?.publication_id).toBe(`pub_${before.publicationSha256}`);
    expect(before.publicationSha256).not.toBe(now.publicationSha256);
    expect((await ask(agentId, 'version', 2)).publicationSha256).toBe(now.publicationSha256);
  });

  it('returns the draft of the workflow, which calls do not use', async () => {
    const agentId = await published();
    const { begin, save } = workflowsOf(customer);
    const { body } = await begin(agentId);
    await save(agentId, { base_revision: body.revision, draft: blankWorkflow });
    const draftOf = await ask(agentId, 'draft');
    expect(draftOf.publicationVersion).toBe(0);
    expect(workflowOf(draftOf)?.definition).toMatchObject(blankWorkflow);
    expect(workflowOf(await ask(agentId, 'published'))).toBeUndefined();
  });

  it('returns NotFoundError for an unknown version and to other organizations', async () => {
    const agentId = await published();
    await expect(ask(agentId, 'version', 9)).rejects.toMatchObject({ code: 'NotFoundError' });
    for (const target of ['published', 'draft', 'version'])
      await expect(ask(agentId, target, 1, platform.customer())).rejects.toMatchObject({ code: 'NotFoundError' });
    await expect(ask(agentId, 'latest')).rejects.toMatchObject({ code: 'BadRequestError' });
  });
});
