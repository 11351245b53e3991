import type { Transcript } from '@parley/contract';

export interface TranscriptLine {
  /** That of the turn, else its position from 0 on. */
  readonly id: string;
  readonly isAgent: boolean;
  readonly text: string;
}

/** What was said, in its order. */
export const linesOf = ({ turns }: Pick<Transcript, 'turns'>): TranscriptLine[] =>
  turns.map(({ turn_id: id, speaker, text, digits }, at) => ({
    id: id ?? String(at),
    isAgent: speaker === 'agent',
    text: digits === undefined ? text : `${text} (pressed ${digits})`.trim(),
  }));
