import type { FeedbackState, OwedReply } from './call-state';
import { patch, patchFeedback, setDeadline, type Draft } from './draft';
import { longestWaits } from './waits';

export const feedbackAtStart: FeedbackState = {
  given: 0,
  playing: false,
  tool: null,
  unrecognised: 0,
  farewell: false,
};

/** The caller's turn is over and the reply awaited: at most one acknowledgement follows. */
export function expectReply(draft: Draft, now: number): void {
  const { acknowledgement } = draft.state.plan.conduct;
  if (acknowledgement !== null) setDeadline(draft, 'acknowledgement', now + acknowledgement.delayMs);
}

export function onAcknowledgement(draft: Draft): void {
  const { acknowledgement } = draft.state.plan.conduct;
  if (acknowledgement !== null) sayBeside(draft, acknowledgement.phrases);
}

/** The real reply starts, or is not awaited any more: the other track falls silent. */
export function stopFeedback(draft: Draft): void {
  setDeadline(draft, 'acknowledgement', undefined);
  setDeadline(draft, 'tool_wait', undefined);
  setDeadline(draft, 'tool_sound', undefined);
  setDeadline(draft, 'tool', undefined);
  if (draft.state.feedback.tool !== null) patchFeedback(draft, { tool: null });
  hush(draft);
}

/** The other track falls silent; what runs goes on. */
export function hush(draft: Draft): void {
  if (!draft.state.feedback.playing) return;
  patchFeedback(draft, { playing: false });
  draft.actions.push({ type: 'stop_beside' });
}

export function onToolStarted(draft: Draft, tool: string, now: number): void {
  const { toolWait } = draft.state.plan.conduct;
  patchFeedback(draft, { tool });
  setDeadline(draft, 'reply', undefined);
  setDeadline(draft, 'tool', now + longestWaits.tool);
  // Feedback of a tool takes the place of the acknowledgement of the turn: never both.
  if (toolWait === null || toolWait.silentTools.includes(tool)) return;
  setDeadline(draft, 'acknowledgement', undefined);
  setDeadline(draft, 'tool_wait', now + toolWait.delayMs);
}

export function onToolWait(draft: Draft, now: number): void {
  const { toolWait } = draft.state.plan.conduct;
  if (toolWait === null || draft.state.feedback.tool === null) return;
  if (toolWait.mode === 'acknowledge') return sayBeside(draft, toolWait.phrases);
  patchFeedback(draft, { playing: true });
  draft.actions.push({ type: 'typing_sound' });
  setDeadline(draft, 'tool_sound', now + toolWait.soundMs);
}

/** Also where no end of it was reported: the reply is waited for again. */
export function onToolEnded(draft: Draft, now: number): void {
  if (draft.state.feedback.tool === null) return;
  stopFeedback(draft);
  boundReply(draft, now);
}

function sayBeside(draft: Draft, phrases: readonly string[]): void {
  const { given } = draft.state.feedback;
  const text = phrases[given % phrases.length];
  if (text === undefined) return;
  patchFeedback(draft, { given: given + 1, playing: true });
  draft.actions.push({ type: 'say_beside', text });
}

export const nothingOwed: OwedReply = { owed: false, spentMs: 0, runningSince: null };

/** To be called after whatever happened: the clock runs or rests as the call stands now. */
export function keepReplyClock(draft: Draft, now: number): void {
  const limit = draft.state.plan.conduct.modelUnresponsiveMs;
  const { reply, caller, agent, feedback, phase } = draft.state;
  if (limit === null) return;
  const free = caller.speakingSince === null && agent.doing !== 'speaking' && feedback.tool === null;
  const runs = phase === 'talking' && reply.owed && free;
  if (runs === (reply.runningSince !== null)) return;
  const spentMs = reply.spentMs + (reply.runningSince === null ? 0 : now - reply.runningSince);
  patch(draft, { reply: { ...reply, spentMs, runningSince: runs ? now : null } });
  setDeadline(draft, 'model_unresponsive', runs ? now + limit - spentMs : undefined);
}

/** Bounds the wait for a reply where no clock of section 2.6 does: that of the model runs for replies that are owed, that of the caller's silence before. */
export function boundReply(draft: Draft, now: number): void {
  const { plan, reply, deadlines } = draft.state;
  const clocked = reply.owed ? plan.conduct.modelUnresponsiveMs !== null : deadlines.no_speech !== undefined;
  const longest = reply.owed ? longestWaits.reply : longestWaits.opening;
  setDeadline(draft, 'reply', clocked ? undefined : now + longest);
}

/** The caller's turn has ended and a reply is owed; or the agent has produced something, and nothing is. */
export function oweReply(draft: Draft, owed: boolean): void {
  if (draft.state.reply.owed && owed) return;
  patch(draft, { reply: { ...nothingOwed, owed } });
  setDeadline(draft, 'model_unresponsive', undefined);
}
