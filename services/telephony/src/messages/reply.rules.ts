import { createHash } from 'node:crypto';
import { baseLanguage } from '@parley/contract';
import confirmations from './confirmations.json';
import { optChangeOf, soleWordOf } from './opt-out.rules';

/** What answers an incoming message: a confirmation of STOP, START or HELP, or the agent. */
export type ReplyKind = 'stop' | 'start' | 'help' | 'agent';

/** Maximum of replies for one pair of numbers, so that two automated senders do not answer each other without end. */
export const replyLimits = { perHour: 20, perDay: 60 } as const;

const helpWords: ReadonlySet<string> = new Set(
  [
    ...['HELP', 'HILFE', 'AIDE', 'AYUDA', 'AJUDA', 'AIUTO', 'HULP', 'POMOC', 'ABI', 'APUA', 'HJÄLP'],
    ...['ПОМОЩЬ', 'ДОПОМОГА', 'ΒΟΗΘΕΙΑ', 'עזרה', 'مساعدة', '帮助', 'ヘルプ'],
  ].map(soleWordOf),
);

export interface Incoming {
  readonly from: string;
  readonly body: string;
  /** Whether the message changed the suppression list. */
  readonly changed: boolean;
  /** Whether the sender was suppressed before the message. */
  readonly suppressed: boolean;
  /** Whether the carrier has already confirmed the keyword. */
  readonly confirmed: boolean;
  readonly agentAnswers: boolean;
}

/**
 * Which reply an incoming message gets. A suppressed sender gets none, except the confirmation of the STOP that suppressed it. Senders that are no phone
 * numbers, such as short codes, cannot be answered.
 */
export function replyKindOf({
  from,
  body,
  changed,
  suppressed,
  confirmed,
  agentAnswers,
}: Incoming): ReplyKind | undefined {
  if (!/^\+[1-9]\d{6,14}$/.test(from)) return undefined;
  const change = optChangeOf(body);
  if (changed) return confirmed ? undefined : change === 'out' ? 'stop' : 'start';
  if (suppressed || change === 'out') return undefined;
  if (confirmed) return undefined;
  if (helpWords.has(soleWordOf(body))) return 'help';
  return agentAnswers && body.trim() !== '' ? 'agent' : undefined;
}

export const pairOf = (ours: string, theirs: string): Buffer =>
  createHash('sha256').update(`${ours}\n${theirs}`).digest();

type Confirmations = Readonly<Record<Exclude<ReplyKind, 'agent'>, string>>;
const byLanguage: ReadonlyMap<string, Confirmations> = new Map(Object.entries(confirmations));

/** The text of a confirmation in a language, or in English. */
export function confirmationIn(language: string, kind: keyof Confirmations): string {
  const own = byLanguage.get(baseLanguage(language)) ?? confirmations.en;
  return own[kind];
}
