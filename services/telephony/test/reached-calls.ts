import type { CallStatus, WorkerJob } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { newId } from '@parley/runtime';
import { claim, complete, freshNumber, place, report, type Reported } from './test-caller';
import { hold, type Cancelling } from './cancelling';
import { gatewayCaller, ringAt, tellOf } from './gateway-of';
import { setPolicy } from './organization-of';

/** A call in one of its states, reached by the same steps as real calls. */
export interface Reached {
  readonly agent: AgentForCall;
  readonly callId: string;
  /** The job of the worker that conducts the call. */
  readonly job?: WorkerJob;
}

interface Expected {
  readonly status: CallStatus;
  /** 200 and the returned status; otherwise the refusal. */
  readonly answer: CallStatus | 409;
  readonly held: 0 | typeof hold;
  readonly job: { readonly state: string; readonly asked: boolean } | undefined;
  /** What follows a request to end the call: the final status, and whether the wallet is charged. */
  readonly then?: {
    readonly end: (reached: Reached, calls: Cancelling) => Promise<unknown>;
    readonly over: CallStatus;
  };
}

type Events = readonly (string | Reported)[];

async function placed(calls: Cancelling, body: Record<string, unknown> = {}, to = '+15005550006'): Promise<Reached> {
  const agent = await calls.prepared();
  const { call } = await place(calls.at(0), agent, { body, to });
  return { agent, callId: call.call_id };
}

async function claimed(calls: Cancelling): Promise<Required<Reached>> {
  const reached = await placed(calls);
  const job = (await claim(calls.at(1), 100, 5)).find((each) => each.call.call_id === reached.callId);
  if (job === undefined) throw new Error('the call was not claimed');
  return { ...reached, job };
}

async function reported(calls: Cancelling, ...events: Events): Promise<Required<Reached>> {
  const reached = await claimed(calls);
  await report(calls.at(0), reached.job, 1, ...events);
  return reached;
}

async function completed(calls: Cancelling, ...events: Events): Promise<Reached> {
  const reached = await reported(calls, ...events);
  await complete(calls.at(1), reached.job);
  return reached;
}

async function canceled(calls: Cancelling): Promise<Reached> {
  const reached = await placed(calls);
  await calls.cancel(calls.at(0), reached.callId, reached.agent.organizationId);
  return reached;
}

/** Moves the answer back by this many seconds, so that the call has a cost. */
async function talkedFor(calls: Cancelling, seconds: number, ...events: Events): Promise<Reached> {
  const reached = await reported(calls, ...events);
  await calls.under.db.query({
    text: 'update calls set answered_at = answered_at - make_interval(secs => $2) where call_id = $1',
    values: [reached.callId, seconds],
  });
  return reached;
}

export async function inReview(calls: Cancelling): Promise<Reached> {
  const agent = await calls.prepared();
  const policy = { consent_required: { mode: 'enforce', action: 'review' } };
  await setPolicy(calls.at(0), agent.organizationId, policy);
  return { agent, callId: (await place(calls.at(0), agent)).call.call_id };
}

/** Sends reports like a media gateway for an incoming call. */
function reportAs(calls: Cancelling, { agent: { organizationId }, callId }: Reached, seq: number, ...types: string[]) {
  const events = types.map((type) => ({ type }));
  return tellOf(calls.at(1), { organizationId, callId }, seq, ...events);
}

async function rung(calls: Cancelling, ...types: string[]): Promise<Reached> {
  const agent = await calls.prepared();
  const { organizationId, agentId } = agent;
  await calls.under.db.query({
    text: 'update numbers set inbound_agent_id = $2 where organization_id = $1',
    values: [organizationId, agentId],
  });
  const line = { to: agent.number, from: freshNumber(), gateway_call_id: newId('job') };
  const routed = await ringAt(calls.at(0), gatewayCaller(organizationId), line);
  const reached = { agent, callId: routed.call.call_id };
  if (types.length > 0) await reportAs(calls, reached, 1, ...types);
  return reached;
}

async function hangUpAndComplete({ job }: Reached, calls: Cancelling): Promise<void> {
  await report(calls.at(1), job as WorkerJob, 2, { type: 'ended', ended_reason: 'agent_hung_up' });
  await complete(calls.at(0), job as WorkerJob);
}
const completeAlone = ({ job }: Reached, calls: Cancelling) => complete(calls.at(0), job as WorkerJob);
const gatewayEnds = (reached: Reached, calls: Cancelling) => reportAs(calls, reached, 2, 'ended');

const over = { type: 'ended', ended_reason: 'callee_hung_up' };
const finished = { state: 'done', asked: false };
const atOnce = { answer: 'canceled', held: 0 } as const;
const onRequest = { held: hold, job: { state: 'leased', asked: true } } as const;
const dialing = { status: 'dialing', answer: 'dialing', ...onRequest } as const;
const answered = { status: 'answered', answer: 'answered', ...onRequest } as const;

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString();

/** Every state of a call, how it is reached, and what canceling the call in that state does. */
export const reachedCalls: readonly (readonly [string, (calls: Cancelling) => Promise<Reached>, Expected])[] = [
  ['queued', (calls) => placed(calls), { status: 'queued', ...atOnce, job: finished }],
  [
    'scheduled',
    (calls) => placed(calls, { scheduled_at: inAWeek() }),
    { status: 'scheduled', ...atOnce, job: undefined },
  ],
  ['claimed and not yet dialed', claimed, { status: 'queued', ...atOnce, job: finished }],
  ['waiting for review', inReview, { status: 'needs_review', ...atOnce, job: undefined }],
  [
    'dialing, whose worker then reports the end',
    (calls) => reported(calls, 'dialing'),
    { ...dialing, then: { end: hangUpAndComplete, over: 'canceled' } },
  ],
  [
    'dialing, whose worker then only completes the job',
    (calls) => reported(calls, 'dialing'),
    { ...dialing, then: { end: completeAlone, over: 'canceled' } },
  ],
  ['inbound and ringing', (calls) => rung(calls), { ...dialing, then: { end: gatewayEnds, over: 'canceled' } }],
  [
    'answered for 90 s',
    (calls) => talkedFor(calls, 90, 'dialing', 'answered', 'media_started'),
    { ...answered, then: { end: hangUpAndComplete, over: 'completed' } },
  ],
  [
    'answered for longer than max_call_seconds',
    (calls) => talkedFor(calls, 4_000, 'dialing', 'answered'),
    { ...answered, then: { end: hangUpAndComplete, over: 'completed' } },
  ],
  [
    'inbound and answered',
    (calls) => rung(calls, 'answered'),
    { ...answered, then: { end: gatewayEnds, over: 'completed' } },
  ],
  [
    'ended',
    (calls) => reported(calls, 'dialing', 'answered', over),
    { status: 'ended', answer: 409, held: hold, job: { state: 'leased', asked: false } },
  ],
  [
    'completed',
    (calls) => completed(calls, 'dialing', 'answered', over),
    { status: 'completed', answer: 409, held: 0, job: finished },
  ],
  [
    'failed',
    (calls) => completed(calls, 'dialing', { type: 'failed', ended_reason: 'busy' }),
    { status: 'failed', answer: 409, held: 0, job: finished },
  ],
  ['canceled', canceled, { status: 'canceled', answer: 409, held: 0, job: finished }],
  [
    'blocked by policy',
    (calls) => placed(calls, {}, '+19005550123'),
    { status: 'policy_blocked', answer: 409, held: 0, job: undefined },
  ],
];
