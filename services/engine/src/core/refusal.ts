import { note, type Draft } from './draft';
import type { Refusal } from './inputs';
import { apologyIn } from './languages/index';
import { boundReply, oweReply } from './owed-reply';
import { turnRefused } from './problems';
import { askInOtherWords, dropReply, say } from './reply';
import { mostApologies } from './waits';

/** What the model gets in place of a refused turn, or after an empty answer. */
const otherWords: Readonly<Record<Refusal, string>> = {
  empty: '(Your answer arrived empty. Answer the last message now.)',
  filtered:
    '(The last message cannot be shown to you. In the language of this conversation, ask the other party to say it differently.)',
  invalid:
    '(The last message could not be read. In the language of this conversation, ask the other party to say it differently.)',
};

/** Whether a refusal is about the latest turn: a provider that never answered in this call may refuse every request. */
export const isOfTurn = ({ state }: Draft, refused: Refusal): boolean =>
  refused !== 'invalid' || state.transcript.some(({ latency }) => latency?.model_first_ms !== undefined);

/**
 * No model answered this conversation. It is asked once more in other words, without the refused turn; then the agent says that it cannot answer, a few times in
 * a call. After that the limit of the model runs on, as the reply is still owed.
 */
export function onRefused(draft: Draft, refused: Refusal): void {
  const { state } = draft;
  const { reply } = state;
  if (reply === null) return;
  if (refused === 'invalid') note(draft, turnRefused);
  if (refused !== 'empty') state.refused = [...state.refused, ...latestTurns(draft)];
  if (!reply.rephrased) return askInOtherWords(draft, reply, otherWords[refused]);
  if (state.feedback.apologies < mostApologies) {
    state.feedback = { ...state.feedback, apologies: state.feedback.apologies + 1 };
    return say(draft, apologyIn(state.language), false);
  }
  dropReply(draft);
  oweReply(draft, true);
  boundReply(draft);
}

/** The turns that the refused request added: those of the caller, or else a tool's result. */
function latestTurns({ state: { transcript } }: Draft): string[] {
  const since = transcript.findLastIndex(({ speaker }) => speaker !== 'caller');
  return transcript.slice(since === transcript.length - 1 ? since : since + 1).map(({ turn_id: id }) => id);
}
