import type { CallEffect } from '../core/effects';

/** Fields whose text identifies a kind, a state or a record. Any other text is replaced by its length. */
const names = new Set([
  ...['type', 'turnId', 'turn_id', 'toolCallId', 'tool_call_id', 'id', 'name', 'language', 'reason', 'speaker'],
  ...['outcome', 'ended_reason', 'classification', 'mailboxProof', 'proofWithdrawnBy'],
]);

/** The shape of an effect as JSON without spoken words. Effects with equal shapes differ at most in texts of equal length. */
export const shapeOf = (effect: CallEffect): string =>
  JSON.stringify(effect, (field, value: unknown) => {
    // Each request to the model contains the whole conversation, whose texts are already part of the transcript.
    if (field === 'history' && Array.isArray(value)) return { messages: value.length, chars: charsOf(value) };
    return typeof value === 'string' && !names.has(field) ? { chars: value.length } : value;
  });

function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + charsOf(one), 0);
}
