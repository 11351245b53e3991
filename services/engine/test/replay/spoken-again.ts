import type { StreamingAdapter } from '@parley/providers';
import { FliteVoice } from '@parley/speech';
import { flite } from '../../src/providers/flite/adapter';
import { saidIn, shareFound, type Said } from './agent-track';

const sampleRate = 8_000;

export interface SpokenAgain extends Said {
  /** The share of the utterance that is in the recording. Undefined if it has no audio, or if its text contains digits, which the log has replaced. */
  readonly found: number | undefined;
}

/**
 * Synthesizes the speech of a call's agent again with the offline voice, which is deterministic, and searches for it on the agent's side of the recording.
 * @param recorded 8,000 samples a second, from the first media on
 * @throws UnreadableLogError
 */
export async function speakAgain(log: string, recorded: Int16Array, voiceId = 'sim-anna'): Promise<SpokenAgain[]> {
  const voice = new FliteVoice({ threads: 1, waiting: 1_000, timeoutMs: 60_000 });
  try {
    const { synthesizer } = flite(voice, 'replay');
    const spoken: SpokenAgain[] = [];
    for (const said of saidIn(log)) {
      const samples = /\d/.test(said.text) ? undefined : await synthesizeSound(synthesizer, said, voiceId);
      spoken.push({ ...said, found: samples && shareFound(samples, said, recorded) });
    }
    return spoken;
  } finally {
    await voice.stop();
  }
}

async function synthesizeSound(
  synthesizer: StreamingAdapter['synthesizer'],
  { text, language }: Said,
  voiceId: string,
): Promise<Int16Array> {
  const speaker = synthesizer?.({ apiKey: undefined, baseUrl: undefined });
  if (speaker === undefined) throw new Error('there is no offline voice');
  const options = { model: undefined, voiceId, delivery: {}, options: {}, language, sampleRate } as const;
  const stream = speaker.open(options, new AbortController().signal);
  stream.write(text);
  stream.end();
  const pieces: Int16Array[] = [];
  for await (const event of stream.events) if (event.type === 'audio') pieces.push(event.samples);
  const whole = new Int16Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
