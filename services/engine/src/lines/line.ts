/** Sample rates of lines: 8,000 Hz on telephone lines, 16,000 Hz in a browser. */
export type SampleRate = 8_000 | 16_000;

/**
 * One side of a call as a carrier or a browser connects it: sound both ways. A line only carries and reports; it decides nothing. Samples are signed,
 * 16 bits, one channel, at the line's own rate; the line does the encoding.
 */
export interface Line {
  readonly sampleRate: SampleRate;
  /** Queues samples for playing at the other end, which owns the playout clock. Any length up to 1 s. */
  send(samples: Int16Array): void;
  /** Asks for `marked(name)` once everything sent before it has played or was cleared. */
  mark(name: string): void;
  /** Drops what is queued at the other end; marks in it come back at once. */
  clear(): void;
  /** Ends the line. `ended` follows. */
  hangUp(): void;
  /** Bytes that were sent and have not left this process yet. */
  readonly bufferedBytes: number;
}

/** Why a line is over. */
export type LineEnd = 'hung_up_there' | 'hung_up_here' | 'lost' | 'too_much_unread' | 'stalled';

/** What a line reports, in order. `ended` is the last one and comes once. */
export interface LineListener {
  audio(samples: Int16Array): void;
  marked(name: string): void;
  /** Keys, one or more of 0-9 * #. */
  pressed(digits: string): void;
  /** A turn that was typed instead of spoken. Telephone lines have none. */
  typed(text: string): void;
  ended(end: LineEnd): void;
}
