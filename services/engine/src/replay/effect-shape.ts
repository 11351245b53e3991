import type { CallEffect } from '../core/effects';

/** Fields whose text is a name: of a kind, a state or a record. All other texts are shown by their length. */
const names = new Set([
  ...['type', 'turnId', 'turn_id', 'toolCallId', 'tool_call_id', 'id', 'name', 'language', 'reason', 'speaker'],
  ...['outcome', 'ended_reason', 'classification', 'mailboxProof'],
]);

/** What an effect does, as JSON without a word that was said: of two effects with one shape, texts alone may differ, and not in their lengths. */
export const shapeOf = (effect: CallEffect): string =>
  JSON.stringify(effect, (field, value: unknown) => {
    // Each request to a model carries the whole conversation, whose texts are in the transcript.
    if (field === 'history' && Array.isArray(value)) return { messages: value.length, chars: charsOf(value) };
    return typeof value === 'string' && !names.has(field) ? { chars: value.length } : value;
  });

function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + charsOf(one), 0);
}
