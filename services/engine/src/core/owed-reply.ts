import { setDeadline, isAudible, type Draft } from './draft';
import type { OwedReply } from './state';
import { longestWaits } from './waits';

export const nothingOwed: OwedReply = { owed: false, spentMs: 0, runningSince: null };

/** Sets whether the agent owes a reply: true when the caller's turn ends, false when the agent produces output. */
export function oweReply(draft: Draft, owed: boolean): void {
  const { state } = draft;
  if (state.owed.owed && owed) return;
  state.owed = { ...nothingOwed, owed };
  setDeadline(draft, 'model_unresponsive', undefined);
}

/** Called after every input: starts or pauses the timer of the owed reply according to the state of the call. */
export function keepReplyClock(draft: Draft): void {
  const { state, now } = draft;
  const limit = state.plan.conduct.modelUnresponsiveMs;
  if (limit === null) return;
  const { owed, caller, phase, tools } = state;
  const free = caller.speakingSince === null && !isAudible(state) && tools.length === 0;
  const runs = phase === 'talking' && owed.owed && free;
  if (runs === (owed.runningSince !== null)) return;
  const spentMs = owed.spentMs + (owed.runningSince === null ? 0 : now - owed.runningSince);
  state.owed = { ...owed, spentMs, runningSince: runs ? now : null };
  setDeadline(draft, 'model_unresponsive', runs ? now + limit - spentMs : undefined);
}

/**
 * Limits the wait for a reply if none of the limits of docs/reference/tuning.md applies. The limit of the model covers owed replies; that of the caller's
 * silence covers the time before the caller was first heard.
 */
export function boundReply(draft: Draft): void {
  const { plan, owed, deadlines } = draft.state;
  const clocked = owed.owed ? plan.conduct.modelUnresponsiveMs !== null : deadlines.no_speech !== undefined;
  const longest = owed.owed ? longestWaits.reply : longestWaits.opening;
  setDeadline(draft, 'first_delta', clocked ? undefined : draft.now + longest);
}
