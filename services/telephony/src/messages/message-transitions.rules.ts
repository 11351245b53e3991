import type { MessageEventType, MessageStatus } from '@parley/contract';
import type { Message } from './message.rules';

/** The triggers of transitions. */
export type MessageTrigger = 'accept' | 'deliver' | 'undeliver' | 'fail' | 'translate' | 'fail_translation';

export interface MessageTransition {
  readonly from: MessageStatus;
  readonly on: MessageTrigger;
  readonly to: MessageStatus;
  /** The event that reports the transition. */
  readonly event: MessageEventType;
}

const statuses: readonly MessageStatus[] = ['queued', 'sent', 'delivered', 'undelivered', 'failed', 'received'];

/**
 * All transitions of a message (docs/reference/messages-and-campaigns.md). A trigger not listed for a status, such as a late or repeated report, changes
 * nothing. A translation does not change the status and is stored only once.
 */
export const messageTransitions: readonly MessageTransition[] = [
  { from: 'queued', on: 'accept', to: 'sent', event: 'sms.sent' },
  { from: 'queued', on: 'fail', to: 'failed', event: 'sms.delivery_updated' },
  { from: 'sent', on: 'deliver', to: 'delivered', event: 'sms.delivery_updated' },
  { from: 'sent', on: 'undeliver', to: 'undelivered', event: 'sms.delivery_updated' },
  { from: 'sent', on: 'fail', to: 'failed', event: 'sms.delivery_updated' },
  ...statuses.flatMap((status): MessageTransition[] => [
    { from: status, on: 'translate', to: status, event: 'sms.translation.ready' },
    { from: status, on: 'fail_translation', to: status, event: 'sms.translation.failed' },
  ]),
];

const byState = new Map(messageTransitions.map((transition) => [`${transition.from} ${transition.on}`, transition]));

/** The data that comes with a trigger. */
export interface MessageFacts {
  /** When it happened, by the database's clock. */
  readonly at: Date;
  readonly carrierMessageId?: string;
  readonly errorCode?: string;
  readonly errorDetail?: string;
  readonly translated?: { readonly body: string; readonly provider: string };
}

export interface MessageStep {
  /** The message after the step, with resource_seq incremented. */
  readonly message: Message;
  readonly event: MessageEventType;
}

/** Moves a message one step; undefined if nothing changes. */
export function advanceMessage(
  message: Message,
  trigger: MessageTrigger,
  facts: MessageFacts,
): MessageStep | undefined {
  const transition = byState.get(`${message.status} ${trigger}`);
  if (transition === undefined) return undefined;
  const translates = trigger === 'translate' || trigger === 'fail_translation';
  if (translates && message.translation?.status !== 'pending') return undefined;
  const moved = { ...message, ...changesOf(message, trigger, facts) };
  const stepped = { ...moved, status: transition.to, resourceSeq: message.resourceSeq + 1, updatedAt: facts.at };
  return { message: stepped, event: transition.event };
}

export type MessageMove = readonly [MessageTrigger, MessageFacts];

/** Applies several steps in order; those that change nothing are skipped. */
export function advanceMessageThrough(message: Message, moves: readonly MessageMove[]): MessageStep[] {
  const steps: MessageStep[] = [];
  for (const [trigger, facts] of moves) {
    const step = advanceMessage(steps.at(-1)?.message ?? message, trigger, facts);
    if (step !== undefined) steps.push(step);
  }
  return steps;
}

function changesOf(message: Message, trigger: MessageTrigger, facts: MessageFacts): Partial<Message> {
  const { at, carrierMessageId = message.carrierMessageId, errorCode = null, errorDetail = null } = facts;
  switch (trigger) {
    case 'accept':
      return { sentAt: at, carrierMessageId, costMicros: message.holdMicros ?? message.costMicros };
    case 'deliver':
      return { deliveredAt: at };
    case 'undeliver':
      return { undeliveredAt: at, errorCode, errorDetail };
    case 'fail':
      return { failedAt: at, carrierMessageId, errorCode, errorDetail };
    case 'translate':
      return { translation: message.translation && { ...message.translation, status: 'ready', ...facts.translated } };
    case 'fail_translation':
      return { translation: message.translation && { ...message.translation, status: 'failed', reason: errorDetail } };
  }
}
