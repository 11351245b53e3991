import { sentiments, type ExtractionEvidence, type ExtractionSuccess, type Sentiment } from '@parley/contract';

/** The data that was extracted from a call. */
export interface Extracted {
  readonly data: Record<string, unknown>;
  readonly summary: string;
  readonly sentiment: Sentiment;
  readonly success: ExtractionSuccess;
  readonly evidence: readonly ExtractionEvidence[];
}

const text = (maxLength: number, description: string) => ({ type: 'string', maxLength, description });

/** The JSON Schema of the output: the built-in fields, and those of the agent's schema under `data`. */
export const outputSchema = (own: Readonly<Record<string, unknown>>): Record<string, unknown> => ({
  type: 'object',
  required: ['data', 'summary', 'sentiment', 'success'],
  additionalProperties: false,
  properties: {
    data: own,
    summary: text(2_000, 'What the call was about and what came of it, in two or three sentences.'),
    sentiment: { type: 'string', enum: [...sentiments], description: "The caller's sentiment at the end of the call." },
    success: {
      type: 'object',
      required: ['achieved', 'reason'],
      additionalProperties: false,
      properties: {
        achieved: {
          type: ['boolean', 'null'],
          description: "Whether the call reached the agent's goal; null where that cannot be said.",
        },
        reason: text(1_000, 'Why, in one sentence.'),
      },
    },
    evidence: {
      type: 'array',
      maxItems: 200,
      description: 'For each value the turns of the transcript in which it stands.',
      items: {
        type: 'object',
        required: ['path', 'turn_ids'],
        additionalProperties: false,
        properties: {
          path: text(1_000, 'summary, sentiment, success, or a path into data such as data.items[0].name.'),
          turn_ids: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 64 } },
        },
      },
    },
  },
});

/** Returns an error for each piece of evidence that names a turn which is not in the transcript. */
export function evidenceErrors(evidence: readonly ExtractionEvidence[], turnIds: ReadonlySet<string>): string[] {
  return evidence.flatMap(({ turn_ids: named }, at) =>
    named.filter((id) => !turnIds.has(id)).map((id) => `/evidence/${at}/turn_ids names no turn: ${id.slice(0, 64)}`),
  );
}
