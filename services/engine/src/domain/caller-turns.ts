import { dropThought, interrupt, open, speak, think } from './agent-turns';
import { closeCallerTurn, patchCaller, patchEvidence, patchFeedback, setDeadline, type Draft } from './draft';
import { boundReply, oweReply } from './feedback';
import { isMailboxInstruction } from '../core/languages/mailbox-instruction';
import { isMenuPrompt, moveTo } from './navigation';
import { longestWaits } from './waits';

/** What the other party does: begin to speak, fall silent, be understood. */

export function onSpeechStarted(draft: Draft, now: number): void {
  const { caller, agent, plan } = draft.state;
  if (caller.speakingSince !== null) return;
  patchCaller(draft, { speakingSince: now, turnSince: caller.turnSince ?? now, turnDue: false });
  patchEvidence(draft, { speech: true });
  // Once heard, the rule of silence no longer applies on this call; nor does the one of music.
  for (const name of ['no_speech', 'non_human', 'opening', 'end_of_turn', 'transcript_wait', 'reply'] as const)
    setDeadline(draft, name, undefined);
  setDeadline(draft, 'speech', now + longestWaits.speech);
  if (agent.doing === 'speaking') setDeadline(draft, 'interruption', now + plan.interruptionMs);
  else dropThought(draft);
}

export function onSpeechEnded(draft: Draft, now: number): void {
  const { caller, plan } = draft.state;
  if (caller.speakingSince === null) return;
  patchCaller(draft, { speakingSince: null, silentSince: now, untranscribed: caller.untranscribed + 1 });
  setDeadline(draft, 'interruption', undefined);
  setDeadline(draft, 'speech', undefined);
  setDeadline(draft, 'end_of_turn', now + plan.endOfTurnMs);
}

/** A turn never ends before its final transcript arrives. */
export function onTranscribed(draft: Draft, text: string, now: number): void {
  const { caller, evidence } = draft.state;
  const untranscribed = Math.max(0, caller.untranscribed - 1);
  const trimmed = text.trim();
  const overdue = trimmed !== '' && isOverdue(draft);
  if (trimmed !== '') moveTo(draft, isMenuPrompt(trimmed) ? 'menu' : 'nowhere', now);
  patchCaller(draft, { untranscribed, texts: trimmed === '' ? caller.texts : [...caller.texts, trimmed] });
  const { texts } = draft.state.caller;
  const instruction = evidence.instruction || isMailboxInstruction(texts.join(' '), draft.state.plan.language);
  patchEvidence(draft, { words: evidence.words + wordsOf(trimmed), instruction });
  interruptWithWords(draft, now);
  if (overdue) patchCaller(draft, { turnSince: caller.silentSince, turnDue: true });
  if (draft.state.caller.turnDue && untranscribed === 0) endTurn(draft, now);
}

/** The turn of these words was closed without them: they are a turn of their own, however late. */
function isOverdue({ state: { caller, deadlines } }: Draft): boolean {
  return caller.untranscribed === 0 && caller.speakingSince === null && deadlines.end_of_turn === undefined;
}

/** The transcriber failed: something was said, and what it was is not known. */
export function onTranscriptLost(draft: Draft, now: number): void {
  const untranscribed = Math.max(0, draft.state.caller.untranscribed - 1);
  patchCaller(draft, { untranscribed, lost: true });
  if (draft.state.caller.turnDue && untranscribed === 0) endTurn(draft, now);
}

/** The caller has spoken over the agent for as long as it takes. */
export function onInterruption(draft: Draft, now: number): void {
  patchCaller(draft, { interruptionDue: true });
  interruptWithWords(draft, now);
}

function interruptWithWords(draft: Draft, now: number): void {
  const { caller, agent, plan } = draft.state;
  if (!caller.interruptionDue || agent.doing !== 'speaking') return;
  const words = caller.texts.reduce((sum, text) => sum + wordsOf(text, plan.fillers), 0);
  if (words >= plan.interruptionWords) interrupt(draft, now);
}

/** The silence that ends a turn is over. */
export function onEndOfTurn(draft: Draft, now: number): void {
  if (draft.state.caller.untranscribed === 0) return endTurn(draft, now);
  patchCaller(draft, { turnDue: true });
  setDeadline(draft, 'transcript_wait', now + longestWaits.transcript);
}

/** The transcriber gives nothing back: the turn ends without those words. */
export function onTranscriptWait(draft: Draft, now: number): void {
  patchCaller(draft, { untranscribed: 0, lost: true });
  endTurn(draft, now);
}

function endTurn(draft: Draft, now: number): void {
  const { lost } = draft.state.caller;
  const heard = draft.state.caller.texts.length > 0;
  setDeadline(draft, 'transcript_wait', undefined);
  closeCallerTurn(draft, now);
  patchCaller(draft, { turnSince: null, texts: [], lost: false, turnDue: false, interruptionDue: false });
  // What was said over an agent that kept on speaking was a listening noise: it is written down, not answered.
  if (draft.state.agent.doing === 'speaking') return;
  if (!draft.state.opened) return open(draft, now);
  if (heard) return think(draft, now);
  if (lost && mayAskAgain(draft)) return askAgain(draft, now);
  // A noise that cut the agent short is no answer to what was asked, and takes back nothing of what it had to say.
  if (draft.state.reply.owed || draft.state.agent.cut) return think(draft, now);
  if (lost) return leaveUnheard(draft, now);
  if (mayAskAgain(draft)) askAgain(draft, now);
}

function mayAskAgain({ state }: Draft): boolean {
  const { unrecognised } = state.plan.conduct;
  return unrecognised !== null && state.feedback.unrecognised < unrecognised.most && state.agent.doing === 'nothing';
}

/** Speech that was not recognised: a phrase, so often a call; no tool is called and the call goes on. */
function askAgain(draft: Draft, now: number): void {
  patchFeedback(draft, { unrecognised: draft.state.feedback.unrecognised + 1 });
  speak(draft, now, draft.state.plan.conduct.unrecognised?.phrase ?? '', false);
}

/** Words that were lost and cannot be asked for again: the clock of the model bounds the silence that follows. */
function leaveUnheard(draft: Draft, now: number): void {
  oweReply(draft, true);
  boundReply(draft, now);
}

/** A record beep: the words before it decide whether it proves a mailbox. */
export function onTone(draft: Draft): void {
  const { evidence } = draft.state;
  if (evidence.wordsBeforeTone === null) patchEvidence(draft, { wordsBeforeTone: evidence.words });
}

const wordsOf = (text: string, fillers: readonly string[] = []): number =>
  text.split(/\s+/u).filter((word) => word !== '' && !fillers.includes(bare(word))).length;

const bare = (word: string): string => word.toLowerCase().replace(/[^\p{L}\p{N}'-]/gu, '');
