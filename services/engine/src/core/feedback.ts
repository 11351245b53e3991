import { clearDeadlines, isAudible, setDeadline, type Draft } from './draft';
import type { FeedbackState } from './state';

export const feedbackAtStart: FeedbackState = {
  given: 0,
  playing: false,
  unrecognised: 0,
  apologies: 0,
  farewell: false,
};

/** The caller's turn has ended and the reply is pending: starts the timer of the acknowledgement. */
export function expectReply(draft: Draft): void {
  const { acknowledgement } = draft.state.plan.conduct;
  if (acknowledgement !== null) setDeadline(draft, 'acknowledgement', draft.now + acknowledgement.delayMs);
}

export function onAcknowledgement(draft: Draft): void {
  const { acknowledgement } = draft.state.plan.conduct;
  if (acknowledgement !== null) sayAside(draft, acknowledgement.phrases);
}

/** The reply starts, or is no longer pending: cancels feedback timers and stops the second track. */
export function stopFeedback(draft: Draft): void {
  clearDeadlines(draft, 'acknowledgement', 'tool_wait', 'tool_sound');
  hush(draft);
}

/** The agent is audible: stops the acknowledgement. Timers of running tools continue, so that later pauses may be filled. */
export function stopAcknowledgement(draft: Draft): void {
  setDeadline(draft, 'acknowledgement', undefined);
  hush(draft);
}

/** Stops the second track. Running tools continue. */
export function hush({ state, effects }: Draft): void {
  if (!state.feedback.playing) return;
  state.feedback = { ...state.feedback, playing: false };
  effects.push({ type: 'stop_aside' });
}

/** Feedback during a tool replaces the acknowledgement of the turn; a turn never gets both. */
export function expectToolEnd(draft: Draft, tool: string): void {
  const { toolWait } = draft.state.plan.conduct;
  if (toolWait === null || toolWait.silentTools.includes(tool)) return;
  setDeadline(draft, 'acknowledgement', undefined);
  if (draft.state.deadlines.tool_wait === undefined) setDeadline(draft, 'tool_wait', draft.now + toolWait.delayMs);
}

export function onToolWait(draft: Draft): void {
  const { toolWait } = draft.state.plan.conduct;
  if (toolWait === null || draft.state.tools.length === 0) return;
  // While the agent is speaking there is no silence to fill.
  if (isAudible(draft.state)) return setDeadline(draft, 'tool_wait', draft.now + toolWait.delayMs);
  if (toolWait.mode === 'acknowledge') return sayAside(draft, toolWait.phrases);
  draft.state.feedback = { ...draft.state.feedback, playing: true };
  draft.effects.push({ type: 'typing_sound' });
  setDeadline(draft, 'tool_sound', draft.now + toolWait.soundMs);
}

function sayAside({ state, effects }: Draft, phrases: readonly string[]): void {
  const { given } = state.feedback;
  const text = phrases[given % phrases.length];
  if (text === undefined) return;
  state.feedback = { ...state.feedback, given: given + 1, playing: true };
  effects.push({ type: 'say_aside', text });
}
