import type { Transcript } from '@parley/contract';

export interface TranscriptLine {
  /** The id of the turn; if it has none, its position, counted from 0. */
  readonly id: string;
  readonly isAgent: boolean;
  readonly text: string;
}

/** The turns as text, in order. */
export const linesOf = ({ turns }: Pick<Transcript, 'turns'>): TranscriptLine[] =>
  turns.map(({ turn_id: id, speaker, text, digits }, at) => ({
    id: id ?? String(at),
    isAgent: speaker === 'agent',
    text: digits === undefined ? text : `${text} (pressed ${digits})`.trim(),
  }));
