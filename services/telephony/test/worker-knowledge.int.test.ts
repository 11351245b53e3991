import { routes, type WorkerJob } from '@parley/contract';
import { documentOf, newId } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import type { AgentForCall } from '@parley/proto/agents';
import { addNumber, claimOne, complete, hostedCaller, place, report } from './test-caller';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

describe('knowledge queries of a worker', () => {
  const workers = WorkerJobs.ofFile();
  const stale = [409, 'ConflictError'];
  const bad = [400, 'BadRequestError'];
  const absent = [404, 'NotFoundError'];
  const tool = { type: 'builtin', name: 'query_knowledge' };

  async function answered(tuning: object = {}): Promise<{ job: WorkerJob; agent: AgentForCall }> {
    const pinned = { navigation_ineligible_reason: null, recording_enabled: false, tools: [tool], ...tuning };
    const agent = workers.under.fakes.addAgent({ tuning: documentOf('CallTuning', pinned) });
    await addNumber(workers.telephony, agent);
    await place(workers.telephony, agent);
    const job = await claimOne(workers.telephony);
    await report(workers.telephony, job, 1, 'dialing');
    await report(workers.telephony, job, 2, 'answered');
    return { job, agent };
  }
  const ask = async ({ job_id, epoch }: WorkerJob, body: object = {}, caller = hostedCaller) =>
    (
      await workers.second.request(routes.queryWorkerKnowledge, {
        caller,
        params: { job_id },
        body: { epoch, text: 'When do you open?', ...body },
      })
    ).body;
  const asked = ({ organizationId }: AgentForCall) =>
    workers.under.fakes.questions.filter((one) => one.organizationId === organizationId);

  it('search the knowledge bases that the agent had when the call began', async () => {
    const { job, agent } = await answered({ knowledge_base_ids: ['kb_1', 'kb_2'] });
    const piece = { document_id: 'doc_1', document_name: 'Hours', position: 0, text: 'Nine to five.', score: 1 };
    expect(await ask(job, { limit: 2 })).toEqual({
      data: [
        { ...piece, knowledge_base_id: 'kb_1' },
        { ...piece, knowledge_base_id: 'kb_2' },
      ],
    });
    await ask(job);
    const question = {
      organizationId: agent.organizationId,
      knowledgeBaseIds: ['kb_1', 'kb_2'],
      text: 'When do you open?',
    };
    expect(asked(agent)).toEqual([
      { ...question, limit: 2 },
      { ...question, limit: 5 },
    ]);
  });

  it('return nothing if the agent had none', async () => {
    const { job, agent } = await answered();
    expect(await ask(job)).toEqual({ data: [], ranking: 'full_text', embedding_failure: null });
    expect(asked(agent)).toEqual([]);
  });

  it('get 409 if the agent does not have the tool query_knowledge', async () => {
    const { job, agent } = await answered({ tools: [], knowledge_base_ids: ['kb_1'] });
    expect(await refusal(ask(job))).toEqual(stale);
    expect(asked(agent)).toEqual([]);
  });

  it.each([
    ['no text', { text: undefined }],
    ['an empty text', { text: '' }],
    ['a text of 1,001 characters', { text: 'x'.repeat(1_001) }],
    ['a limit of 0', { limit: 0 }],
    ['a limit of 21', { limit: 21 }],
    ['an epoch of 0', { epoch: 0 }],
    ['a list of knowledge bases', { knowledge_base_ids: ['kb_9'] }],
  ])('get 400 for %s', async (_what, body) => {
    const { job, agent } = await answered({ knowledge_base_ids: ['kb_1'] });
    expect(await refusal(ask(job, body))).toEqual(bad);
    expect(asked(agent)).toEqual([]);
  });

  it('get 409 or 404 without the current lease: stale epoch, another worker, ended call', async () => {
    const { job, agent } = await answered({ knowledge_base_ids: ['kb_1'] });
    expect(await refusal(ask(job, { epoch: job.epoch + 1 }))).toEqual(stale);
    expect(await refusal(ask(job, {}, customerCaller(newId('org'))))).toEqual(absent);
    expect(await refusal(ask(job, {}, customerCaller(agent.organizationId)))).toEqual(stale);
    await report(workers.telephony, job, 3, { type: 'ended', ended_reason: 'agent_hung_up' });
    expect(await refusal(ask(job))).toEqual(stale);
    await complete(workers.telephony, job);
    expect(asked(agent)).toEqual([]);
  });
});
