import { isAudible, patchCaller, patchReply, type Draft } from './draft';
import { dropReply } from './reply';
import { stopUtterance } from './utterance';
import { textOf, wordsOf } from './words';

/** Words of the caller's turn, without backchannel words. */
export const countedWords = ({ state: { caller, plan } }: Draft): number => wordsOf(textOf(caller), plan.fillers);

/** The caller has spoken over the agent for the minimum duration of an interruption. */
export function onInterruption(draft: Draft): void {
  patchCaller(draft, { interruptionDue: true });
  interruptWithWords(draft);
}

/** Also called when words arrive, because an interruption needs both the duration and the words. */
export function interruptWithWords(draft: Draft): void {
  const { state } = draft;
  if (!state.caller.interruptionDue || !isAudible(state)) return;
  const words = countedWords(draft);
  if (words >= state.plan.interruptionWords) interrupt(draft, words > 0);
}

/** Interrupts the agent. `forGood`: the caller said something. Otherwise the rest of the reply is kept until it is known whether the caller did. */
export function interrupt(draft: Draft, forGood: boolean): void {
  const { state } = draft;
  // The closing text at the spending limit and the recording announcement cannot be interrupted.
  if (state.ending !== null || state.reply?.announces === true) return;
  if (state.tools.length > 0) {
    // Running tools continue and their results are kept. The rest of the current speech is dropped.
    stopUtterance(draft);
    patchReply(draft, { spoken: state.reply?.text.length ?? 0 });
  } else if (forGood) dropReply(draft);
  else {
    stopUtterance(draft);
    patchReply(draft, { suspended: true });
  }
}
