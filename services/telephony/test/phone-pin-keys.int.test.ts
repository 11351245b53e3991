import { limits, routes, type CallRecord } from '@parley/contract';
import { serviceCaller } from '@parley/runtime';
import { customerCaller, eventually } from '@parley/testing';
import { complete, freshNumber, hostedCaller, report } from './test-caller';
import { account, adopt, callAt, slots, WebhookDoor, withLine, type Dialing } from './lines-of';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';
import { TwilioProtocolCarrier } from './twilio/carrier';

const pin = '123456';
const draft = { version: 0, sha256: 'a'.repeat(64), definition: { nodes: [{ id: 's', type: 'start' }], edges: [] } };

/** A caller enters the PIN of a workflow's draft on a carrier's line. */
describe('the PIN of a workflow draft, entered by the caller of a Twilio line', () => {
  const door = new WebhookDoor();
  let carrier: TwilioProtocolCarrier;
  let under: UnderTest;
  let telephony: Instance;
  let second: Instance;

  beforeAll(async () => {
    carrier = await TwilioProtocolCarrier.start(account);
    under = await telephonyUnderTest();
    const publicUrl = await door.start();
    const settings = { twilioApiUrl: carrier.url, publicUrl, mediaStreamUrl: undefined, workerLeaseSeconds: 300 };
    telephony = await under.start(settings);
    second = await under.start(settings);
    door.to = telephony;
    await slots(telephony, 50);
  });
  afterAll(async () => {
    expect(await carrier.violations()).toEqual([]);
    await under.stop();
    await door.stop();
    await carrier.stop();
  });

  const answering = async (armed = true): Promise<Dialing> => {
    const line = await withLine(under, telephony, {}, 'unmetered');
    if (armed) under.fakes.drafts.set(line.agent.agentId, { pin, workflow: draft });
    await under.db.query({
      text: 'update numbers set inbound_agent_id = $2 where organization_id = $1',
      values: [line.agent.organizationId, line.agent.agentId],
    });
    return line;
  };

  const ring = (to: string, presses = '') =>
    carrier.ring({
      to,
      from: freshNumber(),
      scenario: { media: false, presses },
      voiceUrl: `${door.url}/v1/carriers/twilio/calls`,
      statusUrl: `${door.url}/v1/carriers/twilio/call-statuses`,
    });

  const callsOf = async ({ agent }: Dialing): Promise<readonly CallRecord[]> =>
    (await telephony.request(routes.listCalls, { caller: customerCaller(agent.organizationId) })).body
      .data as CallRecord[];

  /** The job of a caller who pressed these keys, as the adopting worker gets it. */
  async function jobOf(line: Dialing, presses?: string) {
    const { sid } = await ring(line.from, presses);
    const { tokens } = await eventually(async () => {
      const found = (await carrier.calls(line.from)).find((call) => call.sid === sid);
      return found !== undefined && found.tokens.length > 0 ? found : undefined;
    });
    return adopt(second, tokens[0] ?? '');
  }

  type Job = Awaited<ReturnType<typeof jobOf>>;
  const workflowOf = ({ runtime_configuration: configuration }: Job): unknown =>
    (configuration['tuning'] as { workflow?: unknown }).workflow;

  it('selects the draft for that call, which is one call record', async () => {
    const line = await answering();
    const job = await jobOf(line, pin);
    expect(workflowOf(job)).toEqual(draft);
    expect(job.call).toMatchObject({ direction: 'inbound', to: line.from, carrier: 'twilio' });
    expect(await callsOf(line)).toHaveLength(1);
  });

  it.each(['', '12', '654321'])('if the caller pressed %j, the draft is not used', async (presses) => {
    const line = await answering();
    expect(workflowOf(await jobOf(line, presses))).toBeUndefined();
    expect(await callsOf(line)).toHaveLength(1);
  });

  it('is ignored if the draft has no active PIN', async () => {
    const line = await answering(false);
    expect(workflowOf(await jobOf(line, pin))).toBeUndefined();
  });

  it(`can be wrong ${limits.wrongPinsPerHour} times an hour per number; then the right one is ignored, but not at other numbers`, async () => {
    const line = await answering();
    for (let nth = 1; nth <= limits.wrongPinsPerHour; nth += 1) await jobOf(line, '654321');
    expect(workflowOf(await jobOf(line, pin))).toBeUndefined();
    const other = await answering();
    expect(workflowOf(await jobOf(other, pin))).toEqual(draft);
  });

  it('if deactivated, ends the running call of the draft, and no other call of the agent', async () => {
    const line = await answering();
    const [drafted, ordinary] = [await jobOf(line, pin), await jobOf(line)];
    for (const job of [drafted, ordinary]) await report(telephony, job, 1, 'answered', 'media_started');
    const { agentId, organizationId } = line.agent;
    const context = { requestId: 'test', caller: serviceCaller };
    await second.client.endDraftCalls({ organizationId: 'org_00000000000000000000000000', agentId }, context);
    const leases = [drafted, ordinary].map(({ job_id: id, epoch }) => ({ job_id: id, epoch }));
    const canceled = async (): Promise<boolean[]> => {
      const { body } = await slotsOf(leases);
      return body.leases.map(({ cancel_requested: asked }) => asked);
    };
    expect(await canceled()).toEqual([false, false]);
    await second.client.endDraftCalls({ organizationId, agentId }, context);
    expect(await canceled()).toEqual([true, false]);
    // The request can be repeated, even after the call has ended.
    await report(telephony, drafted, 2, { type: 'ended', ended_reason: 'canceled' });
    await complete(telephony, drafted);
    await second.client.endDraftCalls({ organizationId, agentId }, context);
  });

  const slotsOf = (leases: { job_id: string; epoch: number }[]) =>
    telephony.request(routes.heartbeatWorkerJobs, {
      caller: hostedCaller,
      body: { worker_id: 'engine', line_slots: 50, leases },
    });

  it('if the agent becomes inactive, the call is answered and hung up instead of rejected', async () => {
    const line = await answering();
    line.agent.status = 'inactive';
    await ring(line.from, pin);
    const { streams } = await callAt(carrier, line.from, ({ status }) => status === 'completed');
    expect(streams).toBe(0);
    expect(await callsOf(line)).toMatchObject([{ status: 'failed', ended_reason: 'agent_inactive' }]);
  });
});
