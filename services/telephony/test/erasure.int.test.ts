import { routes } from '@parley/contract';
import { customerCaller, eventually } from '@parley/testing';
import { auditOf } from './audit-of';
import { addNumber, claimOne, complete, freshNumber, place, read, report } from './test-caller';
import { aged, createErasure, eraseCall, getErasure, tablesWith } from './erasing';
import { CampaignClient } from './test-campaign';
import { readMessage, send } from './test-messages';
import { completeParts, audioOf, putPart, recordingOf, soundOf, talkedCall } from './recording-of';
import { refusal } from './refusal';
import { WorkerJobs } from './worker-jobs';

const absent = [404, 'NotFoundError'];
const conflicting = [409, 'ConflictError'];
const hungUp = { type: 'ended', ended_reason: 'callee_hung_up' };

describe('erasure', () => {
  const workers = WorkerJobs.ofFile();
  const copiesOf = (resourceId: string) =>
    workers.under.fakes.erasedCopies.filter((copy) => copy.resourceId === resourceId);
  const copiesLeft = async () =>
    (await workers.under.db.query<{ left: number }>({ text: 'select count(*)::integer as left from erased_copies' }))
      .rows[0]?.left;

  beforeEach(() => {
    workers.under.fakes.logged.events = 1_000;
  });

  // The Idempotency-Key is kept as long as the call record, so it must not contain the secret.
  const keyOf = (secret: string): string => `order-${secret.slice(-1)}`;
  const anAgent = () => ({ ...workers.under.fakes.addAgent(), number: '' });

  /** A completed call with a transcript. Its secret occurs in no other record. */
  async function talkedTo(to: string, secret: string, agent = anAgent()) {
    if (agent.number === '') agent.number = await addNumber(workers.telephony, agent);
    const body = { variables: { ssn: secret }, metadata: { note: secret }, from: agent.number };
    const { call } = await place(workers.telephony, agent, { to, key: keyOf(secret), body });
    const job = await claimOne(workers.telephony);
    await report(workers.telephony, job, 1, 'dialing', 'answered', { ...hungUp, reason_detail: 'sip_486' });
    const transcript = { turns: [{ speaker: 'callee', text: `I am ${secret}`, started_ms: 0, ended_ms: 900 }] };
    await complete(workers.telephony, job, transcript);
    return { agent, call, job };
  }

  const transcriptOf = (organizationId: string, callId: string) =>
    workers.telephony.request(routes.getTranscript, {
      caller: customerCaller(organizationId),
      params: { call_id: callId },
    });
  const eventsOf = async (organizationId: string, callId: string) =>
    (
      await workers.telephony.request(routes.listCallEvents, {
        caller: customerCaller(organizationId),
        params: { call_id: callId },
      })
    ).body.data;

  describe('of a call', () => {
    it('keeps the billing data of the call and removes personal data from all tables', async () => {
      const [to, secret] = [freshNumber(), 'grue-bleen-1'];
      const { agent, call } = await talkedTo(to, secret);
      const { organizationId } = agent;
      const before = await read(workers.telephony, agent, call.call_id);
      expect((await tablesWith(workers.under.db, secret)).sort()).toEqual(
        expect.arrayContaining(['calls', 'call_events', 'idempotency', 'outbox', 'transcripts']),
      );

      const erased = await eraseCall(workers.telephony, organizationId, call.call_id);
      expect(erased).toEqual({
        ...before,
        from: null,
        to: null,
        variables: {},
        metadata: {},
        reason_detail: null,
        classification_detail: null,
        erased_at: expect.any(String) as string,
      });
      expect([await tablesWith(workers.under.db, secret), await tablesWith(workers.under.db, to)]).toEqual([[], []]);
      expect(await refusal(transcriptOf(organizationId, call.call_id))).toEqual(absent);
      expect(await eventsOf(organizationId, call.call_id)).toEqual([]);
      expect(await read(workers.second, agent, call.call_id)).toEqual(erased);
      expect(await auditOf(workers.under.db, organizationId, 'call.erased')).toMatchObject([
        { subject: call.call_id, detail: {} },
      ]);
    });

    it('requests that webhooks erase its copies, and repeats it until all events of the call had reached the event log', async () => {
      workers.under.fakes.logged.events = 1;
      const { agent, call } = await talkedTo(freshNumber(), 'grue-bleen-2');
      const events = await eventsOf(agent.organizationId, call.call_id);
      await eraseCall(workers.telephony, agent.organizationId, call.call_id);
      await eventually(() => copiesOf(call.call_id)[1]);
      expect(copiesOf(call.call_id)[0]).toEqual({
        organizationId: agent.organizationId,
        resourceId: call.call_id,
        first: events[0]?.id,
        last: events.at(-1)?.id,
      });
      expect(await copiesLeft()).toBe(1);
      workers.under.fakes.logged.events = events.length;
      await eventually(async () => (await copiesLeft()) === 0 || undefined, { timeoutMs: 20_000 });
    });

    it('returns the same record if repeated; repeating the creation of the call returns erased: true and places no call', async () => {
      const [to, secret] = [freshNumber(), 'grue-bleen-3'];
      const { agent, call } = await talkedTo(to, secret);
      const erased = await eraseCall(workers.telephony, agent.organizationId, call.call_id);
      expect(await eraseCall(workers.second, agent.organizationId, call.call_id)).toEqual(erased);
      expect(await auditOf(workers.under.db, agent.organizationId, 'call.erased')).toHaveLength(1);
      const body = { variables: { ssn: secret }, metadata: { note: secret }, from: agent.number };
      const again = await place(workers.telephony, agent, { to, key: keyOf(secret), body });
      expect([again.replayed, again.body]).toEqual([true, { call_id: call.call_id, erased: true }]);
    });

    it("is rejected with 409 until the call is completed, and with 404 for another organization's call", async () => {
      const { agent, call, job } = await talkedCall(workers.under, workers.telephony);
      const erase = () => eraseCall(workers.telephony, agent.organizationId, call.call_id);
      expect(await refusal(erase())).toEqual(conflicting);
      await report(workers.telephony, job, 2, hungUp);
      expect(await refusal(erase())).toEqual(conflicting);
      const stranger = workers.under.fakes.addAgent();
      expect(await refusal(eraseCall(workers.telephony, stranger.organizationId, call.call_id))).toEqual(absent);
      expect(await refusal(eraseCall(workers.telephony, agent.organizationId, 'call_1'))).toEqual(absent);
      await complete(workers.telephony, job);
      expect((await erase()).erased_at).not.toBeNull();
    });

    it('deletes the recording from the store, and rejects parts uploaded later with 409', async () => {
      const { agent, call, job } = await talkedCall(workers.under, workers.telephony);
      const parts = [soundOf(100_000), soundOf(1_600)];
      for (const [place, content] of parts.entries()) await putPart(workers.telephony, job, place + 1, content);
      await completeParts(workers.telephony, job, parts);
      await report(workers.telephony, job, 2, hungUp);
      await complete(workers.telephony, job);
      await eventually(() => recordingOf(workers.telephony, agent.organizationId, call.call_id).catch(() => undefined));
      await eraseCall(workers.telephony, agent.organizationId, call.call_id);
      expect(await refusal(recordingOf(workers.telephony, agent.organizationId, call.call_id))).toEqual(absent);
      expect(await refusal(audioOf(workers.telephony, agent.organizationId, call.call_id))).toEqual(absent);
      const objectsLeft = async () =>
        (
          await workers.under.db.query({
            text: `select 1 from recording_parts where call_id = $1 union all
                   select 1 from recording_files where call_id = $1`,
            values: [call.call_id],
          })
        ).rows.length;
      // The objects are deleted before their rows.
      await eventually(async () => (await objectsLeft()) === 0 || undefined, { timeoutMs: 20_000 });

      const late = await talkedCall(workers.under, workers.telephony);
      await report(workers.telephony, late.job, 2, hungUp);
      await complete(workers.telephony, late.job);
      await eraseCall(workers.telephony, late.agent.organizationId, late.call.call_id);
      expect(await refusal(putPart(workers.telephony, late.job, 1, soundOf(1_600)))).toEqual(conflicting);
    });
  });

  describe('of a phone number', () => {
    const through = (organizationId: string, erasureId: string) =>
      eventually(
        async () => {
          const erasure = await getErasure(workers.second, organizationId, erasureId);
          return erasure.status === 'done' ? erasure : undefined;
        },
        { timeoutMs: 30_000 },
      );

    it('erases its calls, messages and contacts, reports progress, and keeps data of other numbers and organizations', async () => {
      const [number, other] = [freshNumber(), freshNumber()];
      const first = await talkedTo(number, 'grue-bleen-4');
      const { agent } = first;
      const { organizationId } = agent;
      const kept = await talkedTo(other, 'grue-bleen-5', agent);
      const stranger = await talkedTo(number, 'grue-bleen-6');
      const { message } = await send(workers.telephony, agent, { body: { to: number, body: 'grue-bleen-7' } });
      const delivered = () => readMessage(workers.telephony, agent, message.message_id);
      await eventually(async () => (await delivered()).status === 'delivered' || undefined, { timeoutMs: 20_000 });
      const campaigns = new CampaignClient(workers.telephony, agent);
      const { campaign_id: campaignId } = await campaigns.create({ contacts: [{ to: number }, { to: other }] });

      const created = await createErasure(workers.telephony, organizationId, number, 'erase');
      expect(created).toEqual({
        erasure_id: expect.stringMatching(/^era_/) as string,
        organization_id: organizationId,
        status: 'running',
        progress: { calls: 0, messages: 0, contacts: 0, copies_left: 0 },
        created_at: expect.any(String) as string,
        finished_at: null,
      });
      const done = await through(organizationId, created.erasure_id);
      expect(done.progress).toEqual({ calls: 1, messages: 1, contacts: 1, copies_left: 0 });
      expect(done.finished_at).not.toBeNull();
      expect((await createErasure(workers.second, organizationId, number, 'erase')).erasure_id).toBe(
        created.erasure_id,
      );

      expect((await read(workers.telephony, agent, first.call.call_id)).to).toBeNull();
      expect((await read(workers.telephony, agent, kept.call.call_id)).to).toBe(other);
      expect((await read(workers.telephony, stranger.agent, stranger.call.call_id)).to).toBe(number);
      expect(await refusal(delivered())).toEqual(absent);
      const campaign = await campaigns.get(campaignId);
      expect(campaign.statistics).toMatchObject({ contacts: 1, pending: 1 });
      for (const secret of ['grue-bleen-4', 'grue-bleen-7']) {
        // Events of messages and contacts stay in the outbox until their partition is dropped.
        expect((await tablesWith(workers.under.db, secret)).filter((table) => table !== 'outbox')).toEqual([]);
      }
      const { rows } = await workers.under.db.query({
        text: `select 1 from calls where organization_id = $1 and $2 in (from_number, to_number)
               union all select 1 from messages where organization_id = $1 and $2 in (from_number, to_number)
               union all select 1 from campaign_contacts where organization_id = $1 and phone_number = $2
               union all select 1 from erasures where organization_id = $1 and phone_number = $2`,
        values: [organizationId, number],
      });
      expect(rows).toEqual([]);
      expect(copiesOf(message.message_id)).toHaveLength(1);
    });

    it('runs until a call in progress has ended, and erases it too', async () => {
      const agent = anAgent();
      const to = freshNumber();
      agent.number = await addNumber(workers.telephony, agent);
      const { call } = await place(workers.telephony, agent, { to });
      const job = await claimOne(workers.telephony);
      await report(workers.telephony, job, 1, 'dialing', 'answered');
      const over = await talkedTo(to, 'grue-bleen-8', agent);
      const { erasure_id: erasureId } = await createErasure(workers.telephony, agent.organizationId, to);
      await eventually(async () => (await read(workers.telephony, agent, over.call.call_id)).to === null || undefined, {
        timeoutMs: 20_000,
      });
      expect((await getErasure(workers.telephony, agent.organizationId, erasureId)).status).toBe('running');
      expect((await read(workers.telephony, agent, call.call_id)).to).toBe(to);
      await report(workers.telephony, job, 2, hungUp);
      await complete(workers.telephony, job);
      const done = await through(agent.organizationId, erasureId);
      expect(done.progress).toMatchObject({ calls: 2 });
      expect((await read(workers.telephony, agent, call.call_id)).to).toBeNull();
    });

    it.each([
      ['no number', undefined],
      ['a number that is not E.164', '4155550123'],
      ['a value that is not a string', 7],
    ])('is rejected with 400 for %s', async (_, value) => {
      const { organizationId } = workers.under.fakes.addAgent();
      expect(await refusal(createErasure(workers.telephony, organizationId, value))).toEqual([400, 'BadRequestError']);
    });

    it("is readable by its own organization only: other ids and another organization's get 404", async () => {
      const [one, another] = [workers.under.fakes.addAgent(), workers.under.fakes.addAgent()];
      const erasure = await createErasure(workers.telephony, one.organizationId, freshNumber());
      const foreign = getErasure(workers.telephony, another.organizationId, erasure.erasure_id);
      expect(await refusal(foreign)).toEqual(absent);
      expect(await refusal(getErasure(workers.telephony, one.organizationId, 'era_1'))).toEqual(absent);
    });
  });

  it('of a call that is 400 days old succeeds', async () => {
    const { agent, call } = await talkedTo(freshNumber(), 'grue-bleen-9');
    const older = await aged(workers.under.db, 'call', call.call_id, 400);
    expect((await eraseCall(workers.telephony, agent.organizationId, older)).to).toBeNull();
  });
});
