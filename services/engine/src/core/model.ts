import { clearDeadlines, note, patchReply, setDeadline, type Draft } from './draft';
import { finish } from './end';
import type { CallInput, Refusal } from './inputs';
import { oweReply } from './owed-reply';
import { wordless } from './problems';
import { isOfTurn, onRefused } from './refusal';
import { askAgain, dropReply, produced } from './reply';
import type { Reply } from './turn-state';
import { longestWaits, mostAttempts } from './waits';
import { isSayable } from './words';

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
  const isMute = reply.text.trim() !== '' && !isSayable(draft.state, reply.text) && reply.toolCalls.length === 0;
  if (!isMute || !draft.state.plan.speculates) return;
  note(draft, wordless);
  if (!reply.speculative) oweReply(draft, true);
  giveUp(draft, reply, true, 'empty');
}

export function onModelFailed(draft: Draft, { attempt, retry, refused }: Given<'model_failed'>): void {
  const reply = replyOf(draft, attempt);
  if (reply === undefined) return;
  // The attempt has already ended in the driver.
  patchReply(draft, { complete: true });
  giveUp(draft, reply, retry, refused);
}

/** A reply that has begun receives no further output. */
export function onStall(draft: Draft): void {
  const { reply } = draft.state;
  if (reply === null || reply.attempt === null || reply.complete) return;
  draft.effects.push({ type: 'cancel_model', attempt: reply.attempt });
  patchReply(draft, { complete: true });
  giveUp(draft, reply, true);
}

/** There was no output within the maximum wait, or nothing of it could be said. */
export function onFirstDeltaDeadline(draft: Draft): void {
  const isMute = draft.state.voicelessSince !== null;
  finish(draft, 'agent_unresponsive', true, isMute ? 'voice_unavailable' : 'model_unresponsive');
}

function giveUp(draft: Draft, reply: Reply, mayRetry: boolean, refused?: Refusal): void {
  clearDeadlines(draft, 'stall');
  const ofTurn = refused !== undefined && isOfTurn(draft, refused) ? refused : undefined;
  // The same conversation is not sent again when the turn has ended.
  if (reply.speculative && ofTurn !== undefined && ofTurn !== 'empty') return patchReply(draft, { refused: ofTurn });
  // The caller's turn is still open: the reply is requested when the turn has ended.
  if (reply.speculative) return dropReply(draft);
  // The partial text is still spoken. Tool calls of an incomplete reply are not run.
  if (isSayable(draft.state, reply.text)) return patchReply(draft, { toolCalls: [] });
  if (ofTurn !== undefined) return onRefused(draft, ofTurn);
  if (!mayRetry || reply.retry + 1 >= mostAttempts)
    return finish(draft, 'agent_unresponsive', true, 'model_unresponsive');
  askAgain(draft, reply);
}
