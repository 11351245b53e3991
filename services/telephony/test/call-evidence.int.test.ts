import { routes, type CallRecord, type CallTuning, type EventEnvelope } from '@parley/contract';
import { AppError } from '@parley/errors';
import { documentOf } from '@parley/runtime';
import { customerCaller } from '@parley/testing';
import { addNumber, hostedCaller, numbersOf, place, read, report, type Reported } from './test-caller';
import { gatewayCaller, ringAt } from './gateway-of';
import { WorkerJobs } from './worker-jobs';

const workers = WorkerJobs.ofFile();

type Detection = NonNullable<CallTuning['answer_detection']>;
type Field = readonly [status: number, path: string | undefined, code: string | undefined];

const hungUp = { type: 'ended', ended_reason: 'callee_hung_up' };

const agentWith = (detection: Detection) =>
  workers.under.fakes.addAgent({
    tuning: documentOf('CallTuning', {
      answer_detection: detection,
      tools: [],
      recording_enabled: false,
      navigation_ineligible_reason: null,
    }),
  });

/** A call of an agent with this configuration, reported until its end and completed with the worker's findings. */
async function runReported(detection: Detection, found: object, ...reports: (string | (Reported & object))[]) {
  const agent = agentWith(detection);
  await addNumber(workers.telephony, agent);
  const { call } = await place(workers.telephony, agent);
  const job = await workers.claimOf(workers.telephony, call);
  await report(workers.second, job, 1, 'dialing', ...(reports.length > 0 ? reports : ['answered', hungUp]));
  const request = { caller: hostedCaller, params: { job_id: job.job_id }, body: { epoch: job.epoch, ...found } };
  const refused = await workers.telephony.request(routes.completeWorkerJob, request).then(() => undefined, fieldOf);
  return { refused, call: await read(workers.telephony, agent, call.call_id) };
}

/** The status of a refused request, and path and code of its first field error. */
function fieldOf(error: unknown): Field {
  if (!(error instanceof AppError)) throw error;
  const [first] = error.fields.errors as { readonly path: string; readonly code: string }[];
  return [error.status, first?.path, first?.code];
}

const evidenceOf = ({ classification, answer_detection: evidence }: CallRecord) => [
  classification,
  evidence?.non_human_audio.chosen,
  evidence?.non_human_audio.effective,
  evidence?.voicemail.chosen,
  evidence?.voicemail.effective,
  evidence?.proof,
];

const notAllowed: Field = [400, 'classification', 'not_allowed'];
const mailbox = { classification: 'voicemail', mailbox_proof: 'beep' };

describe('the answer detection of a call record', () => {
  it.each<[Detection, string, string, string]>([
    [{}, 'shadow', 'shadow', 'shadow'],
    [{ non_human_audio: 'shadow', voicemail: 'shadow' }, 'shadow', 'shadow', 'shadow'],
    [{ non_human_audio: 'shadow', voicemail: 'hang_up' }, 'shadow', 'hang_up', 'shadow'],
    [{ non_human_audio: 'shadow', voicemail: 'leave_message' }, 'shadow', 'leave_message', 'shadow'],
    [{ non_human_audio: 'end_call', voicemail: 'shadow' }, 'end_call', 'shadow', 'shadow'],
    [{ non_human_audio: 'end_call', voicemail: 'hang_up' }, 'end_call', 'hang_up', 'shadow'],
    [{ non_human_audio: 'end_call', voicemail: 'leave_message' }, 'end_call', 'leave_message', 'shadow'],
    [{ non_human_audio: 'off', voicemail: 'shadow' }, 'off', 'shadow', 'shadow'],
    [{ non_human_audio: 'off', voicemail: 'hang_up' }, 'off', 'hang_up', 'shadow'],
    [{ non_human_audio: 'off', voicemail: 'leave_message' }, 'off', 'leave_message', 'shadow'],
  ])(
    'with settings %j: a voicemail finding is stored with its proof; chosen and effective modes are shown',
    async (detection, audio, chosen, effective) => {
      const { refused, call } = await runReported(detection, mailbox);
      expect(refused).toBeUndefined();
      expect(evidenceOf(call)).toEqual(['voicemail', audio, audio, chosen, effective, 'beep']);
    },
  );

  it.each(['shadow', 'end_call'] as const)(
    'with non_human_audio %s and voicemail off: other findings are stored, a voicemail finding gets 400',
    async (audio) => {
      const detection = { non_human_audio: audio, voicemail: 'off' } as const;
      const other = await runReported(detection, { classification: 'human' });
      expect(evidenceOf(other.call)).toEqual(['human', audio, audio, 'off', 'off', null]);
      const { refused, call } = await runReported(detection, mailbox);
      expect(refused).toEqual(notAllowed);
      expect([call.status, call.classification]).toEqual(['ended', null]);
    },
  );

  it.each(['human', 'voicemail', 'music', 'unknown'])(
    'with both off: no finding is stored, and "%s" gets 400',
    async (classification) => {
      const detection = { non_human_audio: 'off', voicemail: 'off' } as const;
      const { call } = await runReported(detection, {});
      expect([call.status, ...evidenceOf(call)]).toEqual(['completed', null, 'off', 'off', 'off', 'off', null]);
      expect((await runReported(detection, { classification })).refused).toEqual(notAllowed);
    },
  );

  it.each<[Detection]>([[{}], [{ non_human_audio: 'off' }], [{ voicemail: 'off' }]])(
    'with settings %j: an answered call without a finding is classified as unknown',
    async (detection) => {
      const { call } = await runReported(detection, {});
      expect([call.classification, call.classification_detail]).toEqual(['unknown', 'not_judged']);
    },
  );

  it('a call that was not answered is not classified', async () => {
    const { call } = await runReported({}, {}, { type: 'failed', ended_reason: 'busy' });
    expect(evidenceOf(call)).toEqual([null, 'shadow', 'shadow', 'shadow', 'shadow', null]);
  });

  it.each<[object, Field | undefined]>([
    [{ classification: 'voicemail', mailbox_proof: 'mailbox_instruction' }, undefined],
    [{ classification: 'voicemail' }, undefined],
    [{ classification: 'human', mailbox_proof: 'beep' }, [400, 'mailbox_proof', 'conflict_with']],
    [{ mailbox_proof: 'beep' }, [400, 'mailbox_proof', 'conflict_with']],
    [{ classification: 'human', mailbox_proof: 'beep', proof_withdrawn_by: 'turn_4' }, undefined],
    [
      { classification: 'voicemail', mailbox_proof: 'beep', proof_withdrawn_by: 'turn_4' },
      [400, 'proof_withdrawn_by', 'conflict_with'],
    ],
    [{ classification: 'human', proof_withdrawn_by: 'turn_4' }, [400, 'proof_withdrawn_by', 'conflict_with']],
    [{ classification: 'voicemail', mailbox_proof: 'a feeling' }, [400, 'mailbox_proof', 'not_allowed']],
  ])('mailbox_proof needs classification voicemail, or the turn that withdrew it: %j', async (found, refused) => {
    expect((await runReported({}, found)).refused).toEqual(refused);
  });

  it.each(['call_screening', 'fax', 'not_in_service'])('a call may be classified as %s', async (classification) => {
    expect((await runReported({}, { classification })).call.classification).toBe(classification);
  });

  it('a withdrawn proof stays on the record, with the turn that withdrew it', async () => {
    const found = { classification: 'human', mailbox_proof: 'beep', proof_withdrawn_by: 'turn_4' };
    const { call } = await runReported({}, found);
    expect([call.classification, call.answer_detection]).toMatchObject([
      'human',
      { proof: 'beep', withdrawn_by: 'turn_4' },
    ]);
    expect((await runReported({}, mailbox)).call.answer_detection).toMatchObject({ proof: 'beep', withdrawn_by: null });
  });

  it('is null until the call is dialed, and set in the event call.dialing', async () => {
    const agent = agentWith({ voicemail: 'hang_up' });
    await addNumber(workers.telephony, agent);
    const { call } = await place(workers.telephony, agent);
    expect([call.answer_detection, call.navigation]).toEqual([null, null]);
    const job = await workers.claimOf(workers.telephony, call);
    await report(workers.second, job, 1, 'dialing');
    const { rows } = await workers.under.db.query<{ payload: string }>({
      text: `select payload from call_events where call_id = $1 and type = 'call.dialing'`,
      values: [call.call_id],
    });
    const { data } = JSON.parse(rows[0]?.payload ?? '{}') as EventEnvelope;
    expect(data).toMatchObject({ answer_detection: { voicemail: { chosen: 'hang_up', effective: 'shadow' } } });
  });

  it.each<[Detection, string, string | null, string | null]>([
    [{}, 'voicemail', 'voicemail', 'beep'],
    [{ voicemail: 'off' }, 'voicemail', 'unknown', null],
    [{ non_human_audio: 'off' }, 'no_human', 'unknown', null],
    [{ voicemail: 'off' }, 'no_human', 'music', null],
    [{ non_human_audio: 'off', voicemail: 'off' }, 'answered', null, null],
  ])('of a trial call depends on the settings %j: outcome %s', async (detection, outcome, classification, proof) => {
    const agent = agentWith(detection);
    const caller = customerCaller(agent.organizationId);
    const body = { agent_id: agent.agentId, outcome };
    const { body: call } = await workers.telephony.request(routes.createTrialCall, { caller, body });
    expect([call.classification, call.answer_detection?.proof]).toEqual([classification, proof]);
  });

  it('is null for an incoming call', async () => {
    const agent = agentWith({});
    const to = await addNumber(workers.telephony, agent, undefined, { inboundAgentId: agent.agentId });
    expect(await numbersOf(workers.telephony, agent)).toHaveLength(1);
    const { organizationId } = agent;
    const rung = { to, from: '+4930123456', gateway_call_id: 'CA_evidence' };
    const { call } = await ringAt(workers.telephony, gatewayCaller(organizationId), rung);
    expect([call.answer_detection, call.navigation]).toEqual([null, null]);
  });
});

describe('the time in phone menus and on hold', () => {
  const ended = (menu_ms: number, hold_ms: number) => ({ ...hungUp, navigation: { menu_ms, hold_ms } });

  it.each([
    [0, 0],
    [7_000, 4_000],
    [1_800_000, 1_800_000],
  ])('is recorded as reported with the end of the call: %i and %i ms', async (menu, hold) => {
    const { call } = await runReported({}, {}, 'answered', ended(menu, hold));
    expect(call.navigation).toEqual({ menu_ms: menu, hold_ms: hold });
  });

  it('is null for a call without navigation', async () => {
    expect((await runReported({}, {})).call.navigation).toBeNull();
  });

  it.each<[number, number, string, string]>([
    [-1, 0, 'events[0].navigation.menu_ms', 'too_small'],
    [0, -1, 'events[0].navigation.hold_ms', 'too_small'],
    [1_800_001, 0, 'events[0].navigation.menu_ms', 'too_large'],
    [0, 1_800_001, 'events[0].navigation.hold_ms', 'too_large'],
    [0.5, 0, 'events[0].navigation.menu_ms', 'type'],
  ])('of %d and %d ms is rejected with 400', async (menu, hold, path, code) => {
    const agent = agentWith({});
    await addNumber(workers.telephony, agent);
    const { call } = await place(workers.telephony, agent);
    const job = await workers.claimOf(workers.telephony, call);
    const reported = report(workers.telephony, job, 1, ended(menu, hold));
    expect(await reported.then(() => undefined, fieldOf)).toEqual([400, path, code]);
  });
});
