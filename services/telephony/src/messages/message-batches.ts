import { Batcher, type CreatingRequest, type Settled } from '@parley/service';
import { newId, type Database, type Queryable } from '@parley/runtime';
import type { NewMessage } from './message-insert.sql';
import { isRefusal, lockCounters, type PolicyDecision } from '../books';
import { admitMessages, type MessageRefusal } from './admit-message.rules';
import type { Message } from './message.rules';
import { messageEventOf, renderMessage } from './render-message.rules';
import { storeMessages } from './record-messages';

/** A message that only the caps can still refuse. */
export interface MessageCandidate {
  readonly request: CreatingRequest;
  readonly policy: PolicyDecision;
  readonly suppressed: boolean;
  readonly holdMicros: number;
  /** Whether the message is sent although its recipient is suppressed, which `suppressed` then ignores. */
  readonly despiteSuppression?: boolean;
  /** The message as created, without the result of admission. */
  draft(at: Date): Message;
  readonly traceparent: string | undefined;
}

export type AdmittedMessage =
  | { readonly outcome: 'admitted'; readonly message: Message; readonly rendered: string }
  | { readonly outcome: 'refused'; readonly refusal: MessageRefusal }
  /** Another request with the same key was written first; `findStoredResponse` returns its response. */
  | { readonly outcome: 'key_taken' };

export type MessageBatches = Batcher<MessageCandidate, AdmittedMessage>;

export interface Messaging {
  readonly messages: MessageBatches;
}

export interface MessageTurnsOptions {
  readonly db: Database;
  /** Creates an organization's contended row (`organization_controls`) if it is missing. */
  open(organizationId: string): Promise<void>;
}

/**
 * Admits the messages of an organization in batches: all waiting requests share one transaction, which locks the contended row before they are decided. Of
 * several requests with the same key the first is admitted. If a batch fails because of the data of one request, its requests are retried one by one.
 */
export function messageBatches({ db, open }: MessageTurnsOptions): MessageBatches {
  const settle = async (
    organizationId: string,
    candidates: readonly MessageCandidate[],
  ): Promise<readonly AdmittedMessage[]> => {
    const admit = () => db.transaction((tx) => admitBatch(tx, organizationId, candidates));
    const admitted = await admit();
    if (admitted !== undefined) return admitted;
    await open(organizationId);
    const again = await admit();
    if (again === undefined) throw new Error('organization_controls row could not be created');
    return again;
  };
  const alone = async (organizationId: string, candidate: MessageCandidate): Promise<Settled<AdmittedMessage>> => {
    try {
      const [value] = await settle(organizationId, [candidate]);
      return value === undefined ? { error: new Error('a message was not decided') } : { value };
    } catch (error) {
      return isRefusal(error, 'key_taken') ? { value: { outcome: 'key_taken' } } : { error };
    }
  };
  const run = async (
    organizationId: string,
    candidates: readonly MessageCandidate[],
  ): Promise<readonly Settled<AdmittedMessage>[]> => {
    const { leaders, followers } = byKey(candidates);
    const outcomes = new Map<MessageCandidate, Settled<AdmittedMessage>>();
    for (const follower of followers) outcomes.set(follower, { value: { outcome: 'key_taken' } });
    try {
      const values = await settle(organizationId, leaders);
      leaders.forEach((leader, place) => {
        const value = values[place];
        if (value !== undefined) outcomes.set(leader, { value });
      });
    } catch (error) {
      if (leaders.length === 1 && !isRefusal(error, 'key_taken')) throw error;
      for (const leader of leaders) outcomes.set(leader, await alone(organizationId, leader));
    }
    return candidates.map((candidate) => outcomes.get(candidate) ?? { error: new Error('a message was not decided') });
  };
  return new Batcher({ run, bytesOf: () => 4_096, mostItems: 128 });
}

function byKey(candidates: readonly MessageCandidate[]) {
  const seen = new Set<string>();
  const leaders: MessageCandidate[] = [];
  const followers: MessageCandidate[] = [];
  for (const candidate of candidates) {
    const { key } = candidate.request;
    const follows = key !== '' && seen.has(key);
    seen.add(key);
    (follows ? followers : leaders).push(candidate);
  }
  return { leaders, followers };
}

/** Undefined if the organization's contended row does not exist yet. */
async function admitBatch(
  tx: Queryable,
  organizationId: string,
  candidates: readonly MessageCandidate[],
): Promise<AdmittedMessage[] | undefined> {
  const locked = await lockCounters(tx, organizationId);
  if (locked === undefined) return undefined;
  const { state, now } = locked;
  const { decisions, change } = admitMessages(state, candidates, now);
  const made: NewMessage[] = [];
  const admitted = candidates.map((candidate, place): AdmittedMessage => {
    const decision = decisions[place];
    if (decision === undefined) throw new Error('a message was not decided');
    if (!decision.admitted) return { outcome: 'refused', refusal: decision.refusal };
    const message = admittedMessage(candidate, decision.holdMicros, now);
    const rendered = renderMessage(message);
    const failed = message.status === 'failed';
    made.push({
      message,
      goesOut: !failed,
      ...(candidate.despiteSuppression === true && { despiteSuppression: true }),
      events: failed ? [messageEventOf(newId('evt'), 'sms.delivery_updated', message, now)] : [],
      traceparent: candidate.traceparent,
      stored: { request: candidate.request, body: rendered },
    });
    return { outcome: 'admitted', message, rendered };
  });
  if (made.length === 0) return admitted;
  await storeMessages(tx, organizationId, made, change);
  return admitted;
}

/** A message that policy refuses is still created, with the status failed. Only calls have reviews, so a review verdict refuses a message too. */
function admittedMessage({ draft, policy }: MessageCandidate, holdMicros: number | null, now: Date): Message {
  const message: Message = { ...draft(now), policy };
  if (holdMicros !== null) return { ...message, holdMicros, holdDay: now.toISOString().slice(0, 10) };
  return {
    ...message,
    status: 'failed',
    resourceSeq: 1,
    failedAt: now,
    errorCode: 'policy_refused',
    errorDetail: `outbound policy: ${policy.rules.join(', ')}`,
    translation: null,
  };
}
