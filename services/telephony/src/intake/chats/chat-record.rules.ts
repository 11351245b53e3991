import { chatSessionOf, readableEndedReasons, type ChatSessionRecord, type TranscriptTurn } from '@parley/contract';
import type { Call } from '../../books/calls/call.rules';

/** @param turns the turns so far, each as JSON of TranscriptTurn */
export function chatRecord(call: Call, turns: readonly string[]): ChatSessionRecord {
  const { callId, agentId, status, createdAt, endedAt, failedAt, canceledAt, endedReason, costMicros } = call;
  const parsed = turns.map((turn) => JSON.parse(turn) as TranscriptTurn);
  const over = endedAt ?? failedAt ?? canceledAt;
  const [first] = parsed;
  return {
    chat_session_id: chatSessionOf(callId),
    call_id: callId,
    agent_id: agentId,
    status: status === 'dialing' || status === 'answered' ? 'open' : 'ended',
    first_message: first?.speaker === 'agent' ? first.text : '',
    created_at: createdAt.toISOString(),
    ended_at: over === null ? null : over.toISOString(),
    ended_reason: readableEndedReasons.find((reason) => reason === endedReason) ?? null,
    cost: { currency: 'USD', amount_micros: costMicros },
    turns: parsed,
  };
}
