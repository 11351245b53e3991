import {
  type LanguageModel,
  type ModelEvent,
  type ModelRequest,
  ProviderError,
  type SynthesisEvent,
  type Transcriber,
  type TranscriptionEvent,
  type TranscriptionOptions,
} from '@parley/providers';
import type { ProviderServer } from './servers/provider-server';

/** Everything until the end, and the error that it ended with. */
export async function collected<T>(
  events: AsyncIterable<T>,
): Promise<{ events: T[]; error: ProviderError | undefined }> {
  const all: T[] = [];
  try {
    for await (const event of events) all.push(event);
    return { events: all, error: undefined };
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    return { events: all, error };
  }
}

export const replyOf = (model: LanguageModel, request: Partial<ModelRequest>, signal = new AbortController().signal) =>
  model.generate(
    { model: 'model-1', messages: [{ role: 'user', text: 'Hello' }], tools: [], options: {}, ...request },
    signal,
  );

export const textOf = (events: readonly ModelEvent[]): string =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');

export const samplesOf = (events: readonly SynthesisEvent[]): number =>
  events.reduce((total, event) => total + (event.type === 'audio' ? event.samples.length : 0), 0);

export async function until(met: () => boolean, what: string, mostMs = 20_000): Promise<void> {
  const end = performance.now() + mostMs;
  while (!met()) {
    if (performance.now() > end) throw new Error(`${what} did not come about`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Resolves when the server has no connection left, sooner than any timeout of a client would close it. */
export const socketsGone = (server: ProviderServer): Promise<void> =>
  until(() => server.sockets.size === 0, 'the end of every connection', 5_000);

/** An open stream, and what it reported. */
export function listening(
  transcriber: Transcriber,
  options: TranscriptionOptions,
  signal = new AbortController().signal,
) {
  const events: TranscriptionEvent[] = [];
  const stream = transcriber.open(options, (event) => events.push(event), signal);
  const finals = () => events.filter((event) => event.type === 'final');
  return {
    stream,
    events,
    finals,
    failure: () => events.flatMap((event) => (event.type === 'failed' ? [event.error] : []))[0],
    /** Sound in packets of 20 ms. */
    say(samples: Int16Array): void {
      const packet = options.sampleRate / 50;
      for (let from = 0; from < samples.length; from += packet) stream.write(samples.slice(from, from + packet));
    },
  };
}

export const tone = (ms: number, sampleRate: number): Int16Array =>
  Int16Array.from(
    { length: (ms * sampleRate) / 1000 },
    (_, n) => 6_000 * Math.sin((2 * Math.PI * 400 * n) / sampleRate),
  );
