import { textOf } from './caller-turn';
import { isAudible, patchCaller, patchReply, type Draft } from './draft';
import { dropReply } from './reply';
import { stopUtterance } from './utterance';
import { wordsOf } from './words';

/** Words of the caller's turn that are no listening noises. */
export const countedWords = ({ state: { caller, plan } }: Draft): number => wordsOf(textOf(caller), plan.fillers);

/** The caller has spoken over the agent for as long as it takes. */
export function onInterruption(draft: Draft): void {
  patchCaller(draft, { interruptionDue: true });
  interruptWithWords(draft);
}

/** To be called when words came too: an interruption needs both. */
export function interruptWithWords(draft: Draft): void {
  const { state } = draft;
  if (!state.caller.interruptionDue || !isAudible(state)) return;
  const words = countedWords(draft);
  if (words >= state.plan.interruptionWords) interrupt(draft, words > 0);
}

/** `forGood`: the caller has said something. Else the rest of the reply waits for that. */
export function interrupt(draft: Draft, forGood: boolean): void {
  const { state } = draft;
  // The last words of a call that has cost enough are heard to their end, and so is the announcement of a recording.
  if (state.ending !== null || state.reply?.announces === true) return;
  if (state.tools.length > 0) {
    // What a tool does goes on, and its result is still wanted; what was being said is not.
    stopUtterance(draft);
    patchReply(draft, { spoken: state.reply?.text.length ?? 0 });
  } else if (forGood) dropReply(draft);
  else {
    stopUtterance(draft);
    patchReply(draft, { suspended: true });
  }
}
