import { isRefusal } from './languages';
import type { CallState } from './state';
import type { ConversationTurn } from './transcript';

/** A call of an irreversible tool that waits for the confirmation of the other party. */
export interface PendingConfirmation {
  readonly askedAt: number;
  /** How often the other party had answered when the call was made. */
  readonly answers: number;
}

type Conversation = Pick<CallState, 'now' | 'language' | 'transcript'>;

export const pendingSince = ({ now, transcript }: Conversation): PendingConfirmation => ({
  askedAt: now,
  answers: answersIn(transcript).length,
});

/** How long a confirmation is accepted. A person who types takes longer. */
export const confirmationMs = { spoken: 60_000, typed: 600_000 } as const;

/** Whether the other party's next answer is there and no refusal. A later answer does not confirm: it may be about something else. Pure. */
export function isConfirmed({ askedAt, answers }: PendingConfirmation, state: Conversation, withinMs: number): boolean {
  const [answer, ...further] = answersIn(state.transcript).slice(answers);
  if (answer === undefined || further.length > 0 || state.now - askedAt > withinMs) return false;
  return !answer.some(({ text, language = state.language }) => isRefusal(text, language));
}

/** The turns of the other party, grouped into answers: an answer begins after words of the agent. */
function answersIn(transcript: readonly ConversationTurn[]): (readonly ConversationTurn[])[] {
  const answers: ConversationTurn[][] = [];
  let speaker: ConversationTurn['speaker'] = 'agent';
  for (const turn of transcript) {
    if (turn.text.trim() === '' && turn.digits === undefined) continue;
    if (turn.speaker === 'caller' && speaker === 'agent') answers.push([]);
    if (turn.speaker === 'caller') answers.at(-1)?.push(turn);
    speaker = turn.speaker;
  }
  return answers;
}
