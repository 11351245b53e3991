import { customerCaller, eventually } from '@parley/testing';
import { routes } from '@parley/contract';
import { auditOf } from './audit-of';
import { CampaignClient } from './test-campaign';
import { addNumber, claimOne, complete, freshNumber, place, read, report } from './test-caller';
import { aged, getRetention, setRetention } from './erasing';
import { readMessage, send } from './test-messages';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

const fields = ['calls_days', 'content_days', 'recordings_days', 'messages_days'];
const recording = { format: 'simulated', duration_ms: 900, data: Buffer.from('{}').toString('base64') };

describe('retention', () => {
  const workers = WorkerJobs.ofFile();
  const organization = () => workers.under.fakes.addAgent().organizationId;

  it('is unlimited by default; each write replaces all fields and is audited', async () => {
    const organizationId = organization();
    const none = { calls_days: null, content_days: null, recordings_days: null, messages_days: null };
    const before = await getRetention(workers.telephony, organizationId);
    expect(before.body).toEqual({ organization_id: organizationId, ...none, updated_at: null });
    const first = await setRetention(workers.telephony, organizationId, { calls_days: 1, messages_days: 3650 });
    expect(first).toEqual({
      organization_id: organizationId,
      ...none,
      calls_days: 1,
      messages_days: 3650,
      updated_at: expect.any(String) as string,
    });
    expect((await getRetention(workers.second, organizationId)).body).toEqual(first);
    const second = await setRetention(workers.second, organizationId, { recordings_days: 30, calls_days: null });
    expect(second).toMatchObject({ ...none, recordings_days: 30 });
    expect(await auditOf(workers.under.db, organizationId, 'retention.changed')).toMatchObject([
      { detail: { calls_days: 1, messages_days: 3650 } },
      { detail: { recordings_days: 30, calls_days: null } },
    ]);
  });

  it.each(fields.flatMap((field) => [0, -1, 3651, 1.5, '30', true].map((value) => [field, value] as const)))(
    'rejects %s %p with 400',
    async (field, value) => {
      const refused = setRetention(workers.telephony, organization(), { [field]: value });
      expect(await refusal(refused)).toEqual([400, 'BadRequestError']);
    },
  );

  it('rejects an unknown field with 400, a stale If-Match with 409 and another organization with 403', async () => {
    const organizationId = organization();
    const bad = [400, 'BadRequestError'];
    expect(await refusal(setRetention(workers.telephony, organizationId, { days: 1 }))).toEqual(bad);
    const { etag } = await getRetention(workers.telephony, organizationId);
    await setRetention(workers.telephony, organizationId, { calls_days: 2 }, etag);
    const stale = setRetention(workers.telephony, organizationId, { calls_days: 3 }, etag);
    expect(await refusal(stale)).toEqual([409, 'ConflictError']);
    const foreign = workers.telephony.request(routes.getRetention, {
      caller: customerCaller(organization()),
      params: { organization_id: organizationId },
    });
    expect(await refusal(foreign)).toEqual([403, 'ForbiddenError']);
  });

  /** Calls with transcript and recording, of this many days ago. */
  async function talked(agent: ReturnType<typeof workers.under.fakes.addAgent>, ...days: number[]) {
    const ids: string[] = [];
    for (const ago of days) {
      const { call } = await place(workers.telephony, agent, { to: freshNumber(), body: { variables: { a: 'b' } } });
      const job = await claimOne(workers.telephony);
      const ended = { type: 'ended', ended_reason: 'callee_hung_up' };
      await report(workers.telephony, job, 1, 'dialing', 'answered', ended);
      const transcript = { turns: [{ speaker: 'agent', text: 'Hello!', started_ms: 0, ended_ms: 900 }] };
      await complete(workers.telephony, job, transcript, undefined, recording);
      ids.push(await aged(workers.under.db, 'call', call.call_id, ago));
    }
    return ids;
  }

  async function kept(agent: { readonly organizationId: string }, callId: string) {
    const { organizationId } = agent;
    const request = { caller: customerCaller(organizationId), params: { call_id: callId } };
    const there = (reading: Promise<unknown>) => reading.then(() => true).catch(() => false);
    const call = await read(workers.telephony, agent, callId);
    return {
      call: call.to !== null,
      content: await there(workers.telephony.request(routes.getTranscript, request)),
      recording: await there(workers.telephony.request(routes.getRecording, request)),
      events: (await workers.telephony.request(routes.listCallEvents, request)).body.data.length > 0,
      variables: call.variables['a'] === 'b',
    };
  }

  const all = { call: true, content: true, recording: true, events: true, variables: true };
  it.each([
    ['calls_days', { call: false, content: false, recording: false, events: false, variables: false }],
    ['content_days', { ...all, content: false, events: false, variables: false }],
    ['recordings_days', { ...all, recording: false }],
  ])('%s deletes its kind of data of calls that ended earlier, and nothing of later calls', async (field, left) => {
    const agent = workers.under.fakes.addAgent({ recordingEnabled: true });
    await addNumber(workers.telephony, agent);
    const [old = '', older = '', young = ''] = await talked(agent, 31, 400, 29);
    await setRetention(workers.telephony, agent.organizationId, { [field]: 30 });
    for (const callId of [old, older]) {
      await eventually(async () => {
        expect(await kept(agent, callId)).toEqual(left);
        return true;
      });
    }
    expect(await kept(agent, young)).toEqual(all);
  });

  it('counts from the end of a call, not from its creation', async () => {
    const agent = workers.under.fakes.addAgent();
    await addNumber(workers.telephony, agent);
    const [late = '', old = ''] = await talked(agent, 40, 35);
    const ended = (days: number) =>
      workers.under.db.query({
        text: 'update calls set updated_at = now() - make_interval(days => $2) where call_id = $1',
        values: [late, days],
      });
    await ended(10);
    await setRetention(workers.telephony, agent.organizationId, { calls_days: 30 });
    await eventually(async () => ((await read(workers.telephony, agent, old)).to === null ? true : undefined));
    expect((await read(workers.telephony, agent, late)).to).not.toBeNull();
    await ended(31);
    await setRetention(workers.telephony, agent.organizationId, { calls_days: 30 });
    await eventually(async () => ((await read(workers.telephony, agent, late)).to === null ? true : undefined));
  });

  it('messages_days deletes older messages', async () => {
    const agent = workers.under.fakes.addAgent();
    await addNumber(workers.telephony, agent);
    const sent = async (days: number) => {
      const { message } = await send(workers.telephony, agent);
      await eventually(async () =>
        (await readMessage(workers.telephony, agent, message.message_id)).status === 'delivered' ? true : undefined,
      );
      return aged(workers.under.db, 'message', message.message_id, days);
    };
    const [old, young] = [await sent(8), await sent(6)];
    await setRetention(workers.telephony, agent.organizationId, { messages_days: 7 });
    await eventually(() =>
      readMessage(workers.telephony, agent, old).then(
        () => undefined,
        () => true,
      ),
    );
    expect((await readMessage(workers.telephony, agent, young)).body).toBe('See you at ten');
  });

  it('calls_days deletes the contacts of campaigns that ended earlier, and keeps their statistics', async () => {
    const agent = workers.under.fakes.addAgent();
    await addNumber(workers.telephony, agent);
    const campaigns = new CampaignClient(workers.telephony, agent);
    const contacts = [{ to: freshNumber() }, { to: freshNumber() }];
    const [over, recent, draft] = [
      await campaigns.create({ contacts }),
      await campaigns.create({ contacts }),
      await campaigns.create({ contacts }),
    ];
    for (const { campaign_id: id } of [over, recent]) await campaigns.cancel(id);
    await workers.under.db.query({
      text: `update campaigns set canceled_at = now() - interval '31 days' where campaign_id = $1`,
      values: [over.campaign_id],
    });
    await setRetention(workers.telephony, agent.organizationId, { calls_days: 30 });
    await eventually(async () => ((await campaigns.contacts(over.campaign_id)).length === 0 ? true : undefined));
    expect(await campaigns.contacts(recent.campaign_id)).toHaveLength(2);
    expect(await campaigns.contacts(draft.campaign_id)).toHaveLength(2);
    expect((await campaigns.get(over.campaign_id)).statistics).toEqual(
      (await campaigns.get(recent.campaign_id)).statistics,
    );
  });
});
