import { clearDeadlines, patchReply, setDeadline, type Draft } from './draft';
import { finish } from './end';
import type { CallInput } from './inputs';
import { askAgain, dropReply, produced } from './reply';
import type { Reply } from './turn-state';
import { longestWaits, mostAttempts } from './waits';

type Given<Type extends CallInput['type']> = Extract<CallInput, { type: Type }>;

/** The current reply, if it belongs to this attempt and may still receive output. */
function replyOf({ state: { reply } }: Draft, attempt: number): Reply | undefined {
  return reply !== null && reply.attempt === attempt && !reply.complete ? reply : undefined;
}

export function onModelDelta(draft: Draft, { attempt, text }: Given<'model_delta'>): void {
  const reply = replyOf(draft, attempt);
  if (reply === undefined || text === '') return;
  patchReply(draft, { text: reply.text + text });
  goOn(draft, reply);
}

export function onModelToolCall(draft: Draft, { attempt, call }: Given<'model_tool_call'>): void {
  const reply = replyOf(draft, attempt);
  if (reply === undefined) return;
  patchReply(draft, { toolCalls: [...reply.toolCalls, call] });
  goOn(draft, reply);
}

function goOn(draft: Draft, reply: Reply): void {
  if (reply.firstDeltaAt === null) patchReply(draft, { firstDeltaAt: draft.now });
  if (!reply.speculative) produced(draft);
  setDeadline(draft, 'stall', draft.now + longestWaits.stall);
}

export function onModelDone(draft: Draft, { attempt, keys }: Given<'model_done'>): void {
  const reply = replyOf(draft, attempt);
  if (reply === undefined) return;
  draft.state.keys = keys ?? null;
  // A reply without text and tools is ignored: the deadline of the pending reply continues.
  if (reply.text.trim() !== '' || reply.toolCalls.length > 0) clearDeadlines(draft, 'first_delta');
  clearDeadlines(draft, 'stall');
  patchReply(draft, { complete: true });
}

export function onModelFailed(draft: Draft, { attempt, retry }: Given<'model_failed'>): void {
  const reply = replyOf(draft, attempt);
  if (reply === undefined) return;
  // The attempt has already ended in the driver.
  patchReply(draft, { complete: true });
  giveUp(draft, reply, retry);
}

/** A reply that has begun receives no further output. */
export function onStall(draft: Draft): void {
  const { reply } = draft.state;
  if (reply === null || reply.attempt === null || reply.complete) return;
  draft.effects.push({ type: 'cancel_model', attempt: reply.attempt });
  patchReply(draft, { complete: true });
  giveUp(draft, reply, true);
}

/** There was no output within the maximum wait. */
export function onFirstDeltaDeadline(draft: Draft): void {
  finish(draft, 'agent_unresponsive', true, 'model_unresponsive');
}

function giveUp(draft: Draft, reply: Reply, mayRetry: boolean): void {
  clearDeadlines(draft, 'stall');
  // The caller's turn is still open: the reply is requested when the turn has ended.
  if (reply.speculative) return dropReply(draft);
  // The partial text is still spoken. Tool calls of an incomplete reply are not run.
  if (reply.text.trim() !== '') return patchReply(draft, { toolCalls: [] });
  if (!mayRetry || reply.retry + 1 >= mostAttempts)
    return finish(draft, 'agent_unresponsive', true, 'model_unresponsive');
  askAgain(draft, reply);
}
