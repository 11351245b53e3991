import { append, type OutboxEvent } from '@parley/outbox';
import { newId, type Queryable } from '@parley/runtime';
import { changeMessageJobs, type JobChange } from './message-jobs.cross-tenant.sql';
import { insertMessages, type NewMessage } from './message-insert.sql';
import { provideForMessages, settleMessages, type DueMessage, type MessageProvisions } from '../books';
import { lockMessages, writeMessages } from './messages.sql';
import type { Message } from './message.rules';
import { advanceMessageThrough, type MessageFacts, type MessageTrigger } from './message-transitions.rules';
import { messageEvent, type MessageEvent } from './render-message.rules';

/** Transitions of a message and the resulting change of its job. */
export interface MessageReport {
  readonly messageId: string;
  readonly moves: readonly (readonly [MessageTrigger, Omit<MessageFacts, 'at'>])[];
  /** The change of the message's job; undefined: unchanged. */
  readonly job?: Omit<JobChange, 'messageId'>;
}

/**
 * Records reports about messages of one organization: rows, events, jobs and settlements, in the caller's transaction. A report is skipped if its job is no
 * longer in the required state; triggers without a transition change nothing. Returns the updated messages.
 */
export async function recordMessages(
  tx: Queryable,
  organizationId: string,
  reports: readonly MessageReport[],
): Promise<readonly Message[]> {
  const ids = [...new Set(reports.map(({ messageId }) => messageId))];
  const { messages, now } = await lockMessages(tx, organizationId, ids);
  const conditional = reports.flatMap(({ messageId, job }) => (job === undefined ? [] : [{ ...job, messageId }]));
  const held = await changeMessageJobs(tx, conditional);
  const after: Message[] = [];
  const changed: Message[] = [];
  const events: OutboxEvent[] = [];
  const due: DueMessage[] = [];
  for (const before of messages) {
    const moves = reports
      .filter(({ messageId, job }) => messageId === before.messageId && (unconditional(job) || held.has(messageId)))
      .flatMap(({ moves: reported }) => reported);
    const steps = advanceMessageThrough(
      before,
      moves.map(([trigger, facts]) => [trigger, { ...facts, at: now }]),
    );
    const last = steps.at(-1)?.message;
    const settles = last && dueMessage(last);
    const settled = last === undefined || settles === undefined ? last : { ...last, holdMicros: null, holdDay: null };
    after.push(settled ?? before);
    if (settled !== undefined) changed.push(settled);
    if (settles !== undefined) due.push(settles);
    events.push(...steps.map((step) => outboxEvent(messageEvent(newId('evt'), step, now))));
  }
  await writeMessages(tx, organizationId, changed);
  await append(tx, events);
  await settleMessages(tx, organizationId, due);
  return after;
}

const unconditional = (job: MessageReport['job']): boolean =>
  job === undefined || (job.whileState === null && job.whileAttempt === null);

/** The settlement is due when the carrier accepts the message, or when the message fails before that, in which case nothing is charged. */
function dueMessage({ messageId, status, holdMicros, holdDay, costMicros }: Message): DueMessage | undefined {
  if (holdMicros === null || holdDay === null || status === 'queued') return undefined;
  return { messageId, holdMicros, holdDay, costMicros };
}

/**
 * Stores messages with their events, what they reserve, and the translations for which they ask. The caller has locked the counter row if they reserve anything.
 * @throws a refusal `key_taken` if another request used a key in the meantime
 */
export async function storeMessages(
  tx: Queryable,
  organizationId: string,
  made: readonly NewMessage[],
  room?: MessageProvisions['room'],
): Promise<void> {
  await append(tx, made.flatMap(outboxEvents));
  await insertMessages(tx, organizationId, made);
  const translations = made.flatMap(({ message: { messageId, translation } }) =>
    translation?.status === 'pending' ? [{ messageId, language: translation.targetLanguage }] : [],
  );
  await provideForMessages(tx, organizationId, { room, translations });
}

const outboxEvents = ({ events, traceparent }: Pick<NewMessage, 'events' | 'traceparent'>): OutboxEvent[] =>
  events.map((event) => outboxEvent(event, traceparent));

const outboxEvent = ({ eventId, subject, payload }: MessageEvent, traceparent?: string): OutboxEvent => ({
  id: eventId,
  stream: 'EVENTS',
  subject,
  payload,
  ...(traceparent !== undefined && { traceparent }),
});
