import type { TranslationPolicy } from '@parley/contract';
import { badRequest, conflict, internal } from '@parley/errors';
import type { CreatingRequest } from '@parley/service';
import type { AgentForCall } from '@parley/proto/agents';
import { newId, type OutgoingContext } from '@parley/runtime';
import { admissionError, loadAdmissionSnapshot, type AdmissionSnapshots, type Intake } from '../intake';
import { findNumber, isMessageProvider } from '../network';
import { blankMessage, type Message } from './message.rules';
import { messageEtag } from './render-message.rules';
import { microsPerSegment, segmentsOf } from './segments.rules';
import { refuseSuspended, type SendingNumber, sendingNumber, wantedTranslation } from '../books';
import { getCampaign } from '../campaigns';
import { decide, factsOfRequest } from '../policy';
import type { Messaging } from './message-batches';
import type { Telephony } from '../telephony';

type Needs = Pick<Telephony, 'db' | 'controls' | 'settings' | 'onCommit' | 'notifyMessageSender'> & Intake & Messaging;

/** A request to send a message, independent of its route. */
export interface Sending {
  readonly agentId: string;
  readonly to: string;
  /** The sending number in E.164, or its id; if both are undefined, the project's only number is used. */
  readonly from: string | undefined;
  readonly numberId: string | undefined;
  readonly purpose: string | undefined;
  readonly campaignId: string | undefined;
  readonly templateId: string | undefined;
  readonly consent: boolean;
  readonly metadata: Readonly<Record<string, unknown>>;
  /**
   * Returns the text, and its language if known, for the agent.
   * @throws AppError for errors in the request
   */
  compose(agent: AgentForCall): Promise<{ readonly text: string; readonly language: string | undefined }>;
}

export interface SendInput {
  /** Empty for an operator that specified no organization: the agent's organization applies. */
  readonly organizationId: string;
  readonly request: (organizationId: string) => CreatingRequest;
}

export interface SentAnswer {
  /** JSON of MessageRecord. */
  readonly body: string;
  readonly etag: string;
  readonly replayed: boolean;
}

/** A stored response may be deleted between the conflict and our read; this many times in a row indicates a defect. */
const attempts = 5;

/**
 * Admits a message (docs/reference/messages-and-campaigns.md). The order of refusals is that of calls: unknown agent, invalid request, inactive agent,
 * suspension, number, suppression list, spend, wallet. A message that outbound policy refuses is created nevertheless, with the status failed (201).
 */
export async function sendMessage(
  telephony: Needs,
  input: SendInput,
  sending: Sending,
  context: OutgoingContext,
): Promise<SentAnswer> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const sent = await attemptSending(telephony, input, sending, context);
    if (sent !== undefined) return sent;
  }
  throw new Error('an Idempotency-Key exists and its stored response is missing');
}

/** Undefined: a concurrent request with the same key was written between our read and our write. */
async function attemptSending(
  telephony: Needs,
  input: SendInput,
  sending: Sending,
  context: OutgoingContext,
): Promise<SentAnswer | undefined> {
  const { admission, controls, db } = telephony;
  const { from, to } = sending;
  const loadSnapshot = (organizationId: string, agentId?: string) => {
    const request = input.request(organizationId);
    const snapshots = snapshotsFor(admission, request.route);
    return loadAdmissionSnapshot(db, snapshots, { request, from, to, agentId, context }, replayOf);
  };
  const early = input.organizationId === '' ? undefined : await loadSnapshot(input.organizationId, sending.agentId);
  if (early?.replay !== undefined) return early.replay;
  const agentSnapshot = await (early?.agentSnapshot ?? admission.ask('', sending.agentId, context));
  const { agent, translation } = agentSnapshot;
  const known = early ?? (await loadSnapshot(agent.organizationId));
  if (known.replay !== undefined) return known.replay;
  const { text, language } = await sending.compose(agent);
  if (sending.campaignId !== undefined) await getCampaign(db, agent.organizationId, sending.campaignId);
  if (agent.status === 'inactive') throw conflict('the agent is inactive');
  await refuseSuspended(controls, agent);
  const sender =
    sending.numberId === undefined
      ? await sendingNumber(db, known.snapshot, from, agent)
      : await numberById(telephony, agent, sending.numberId, from);
  if (sender.provider === 'simulator' && !telephony.settings.simulator) {
    throw badRequest('from is a number of the simulator, which is switched off');
  }
  const draft = draftOf(sending, agent, sender, { text, language, translation });
  if (context.signal?.aborted === true) throw internal(context.signal.reason, 503);
  const admitted = await telephony.messages.submit(agent.organizationId, {
    request: input.request(agent.organizationId),
    ...decide(factsOfRequest('message', sending, known.snapshot)),
    holdMicros: segmentsOf(text) * microsPerSegment,
    draft,
    traceparent: context.traceparent,
  });
  if (admitted.outcome === 'key_taken') return undefined;
  if (admitted.outcome === 'refused') throw admissionError(admitted.refusal, 0, 0, 'message');
  telephony.onCommit(false);
  telephony.notifyMessageSender();
  return { body: admitted.rendered, etag: messageEtag(admitted.message), replayed: false };
}

/** One batcher per route, because idempotency keys are scoped by route. */
function snapshotsFor(admission: Intake['admission'], route: string): AdmissionSnapshots {
  if (route === 'create-message') return admission.messageSnapshots;
  return route === 'send-worker-message' ? admission.workerMessageSnapshots : admission.templateMessageSnapshots;
}

/** Finds the number by its id. If `from` is given as well, both must identify the same number. */
async function numberById(
  { db }: Pick<Telephony, 'db'>,
  { organizationId, projectId }: AgentForCall,
  numberId: string,
  from: string | undefined,
): Promise<SendingNumber> {
  const row = await findNumber(db, organizationId, numberId);
  if (row?.project_id !== projectId) throw badRequest("number_id is not a number of the agent's project");
  if (from !== undefined && from !== row.phone_number) throw badRequest('number_id and from are different numbers');
  return {
    phoneNumber: row.phone_number,
    projectId,
    provider: row.provider,
    simulatorPace: row.simulator_pace,
    dialer: row.dialer,
  };
}

/** The first response, with the entity tag that the message had then. */
export function replayOf({ body, recordId = '' }: { body: string; recordId?: string }): SentAnswer {
  const failed = (JSON.parse(body) as { status: string }).status === 'failed';
  return { body, etag: messageEtag({ messageId: recordId, resourceSeq: failed ? 1 : 0 }), replayed: true };
}

interface Text {
  readonly text: string;
  readonly language: string | undefined;
  readonly translation: TranslationPolicy | undefined;
}

function draftOf(
  sending: Sending,
  agent: AgentForCall,
  { phoneNumber, provider }: SendingNumber,
  { text, language, translation }: Text,
): (at: Date) => Message {
  if (!isMessageProvider(provider)) throw badRequest('from is a number that cannot send messages');
  const messageId = newId('msg');
  return (at) => ({
    ...blankMessage(agent.organizationId, at),
    messageId,
    projectId: agent.projectId,
    agentId: agent.agentId,
    direction: 'outbound',
    from: phoneNumber,
    to: sending.to,
    body: text,
    segmentCount: segmentsOf(text),
    purpose: sending.purpose ?? null,
    campaignId: sending.campaignId ?? null,
    templateId: sending.templateId ?? null,
    language: language ?? null,
    provider,
    translation: wantedTranslation(translation, language),
    metadata: JSON.stringify(sending.metadata),
  });
}
