/** Sample rates of lines: 8,000 Hz on telephone lines, 16,000 Hz in a browser. */
export type SampleRate = 8_000 | 16_000;

/**
 * One side of a call, connected by a carrier or a browser: bidirectional audio. A line transports audio and reports events; it makes no decisions. Samples are
 * signed 16-bit mono at the sample rate of the line, which does the encoding.
 */
export interface Line {
  readonly sampleRate: SampleRate;
  /** Queues samples for playback at the other end, which controls the playout clock. At most 1 s per call. */
  send(samples: Int16Array): void;
  /** Requests `marked(name)` as soon as everything sent before it was played or cleared. */
  mark(name: string): void;
  /** Drops the queue at the other end; its marks return immediately. */
  clear(): void;
  /** Ends the line. `ended` follows. */
  hangUp(): void;
  /** The number of bytes buffered in this process. */
  readonly bufferedBytes: number;
  /** Whether the other side does not take what is sent: nothing more should be sent now, and more audio is dropped. */
  readonly isCongested: boolean;
}

/** What a line lost without ending. */
export type LineLoss = 'audio_backlog' | 'marks_lost';

/** Why a line ended. */
export type LineEnd = 'hung_up_there' | 'hung_up_here' | 'lost' | 'too_much_unread' | 'stalled';

/** Events of a line, in order. `ended` is the last one and occurs once. */
export interface LineListener {
  audio(samples: Int16Array): void;
  marked(name: string): void;
  /** Keys, one or more of 0-9 * #. */
  pressed(digits: string): void;
  /** A typed turn. Telephone lines have none. */
  typed(text: string): void;
  /** The line goes on, but without a part of what it carries. */
  lost?(what: LineLoss): void;
  ended(end: LineEnd): void;
}
