/** Samples per second of audio in calls: 8,000 on telephone lines, 16,000 in a browser. */
export type SampleRate = 8_000 | 16_000;
