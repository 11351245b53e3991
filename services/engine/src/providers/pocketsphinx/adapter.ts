import {
  canceled,
  ProviderError,
  type StreamingAdapter,
  type Transcriber,
  TranscriptionReport,
  type TranscriptionStream,
} from '@parley/providers';
import { Pocketsphinx, recognitionSampleRate, Resampler } from '@parley/speech';

const provider = 'pocketsphinx';

/** The timeout for recognized words after the end of speech: the program reports nothing for an utterance without words. */
const wordsMs = 8_000;
/** The startup timeout: until its first report the program may still be loading its model. */
const startMs = 20_000;

export interface PocketsphinxAdapterOptions {
  /** Path of a JSGF grammar, which restricts recognition to its sentences. */
  readonly grammar?: string;
  readonly program?: string;
}

function recogniser(options: PocketsphinxAdapterOptions): Transcriber {
  return {
    capabilities: { partials: false, turnHints: false, switchesLanguage: false, detectsLanguage: false },
    open({ sampleRate }, onEvent, signal): TranscriptionStream {
      const report = new TranscriptionReport(onEvent);
      const resampler = new Resampler(sampleRate, recognitionSampleRate);
      const deadlines: NodeJS.Timeout[] = [];
      let segment = 0;
      let ready = false;
      const final = (text: string): void => {
        clearTimeout(deadlines.shift());
        report.event({ type: 'final', segment: segment++, text });
      };
      const started = (): Pocketsphinx => {
        const one: Pocketsphinx = new Pocketsphinx({
          ...options,
          onFinal: (text) => {
            if (one !== process) return;
            ready = true;
            final(text);
          },
          onEnd: () => {
            if (one === process) fail(new ProviderError(provider, 'unavailable', 'ended before the call'));
          },
        });
        return one;
      };
      // The program is replaced, because late output would be attributed to another segment.
      const giveUp = (): void => {
        const late = process;
        for (const deadline of deadlines.slice(1)) clearTimeout(deadline);
        const owed = deadlines.length;
        process = started();
        ready = false;
        late.close();
        for (let n = 0; n < owed; n += 1) final('');
      };
      const release = (): void => {
        signal.removeEventListener('abort', aborted);
        for (const deadline of deadlines.splice(0)) clearTimeout(deadline);
        process.close();
      };
      const fail = (error: ProviderError): void => {
        release();
        report.failed(error);
      };
      const aborted = (): void => fail(canceled(provider));
      if (signal.aborted) queueMicrotask(aborted);
      else signal.addEventListener('abort', aborted, { once: true });
      let process = started();
      return {
        write: (samples) => process.hear(resampler.resample(samples)),
        finalize: () => {
          if (report.isOver) return;
          process.finishUtterance();
          deadlines.push(setTimeout(giveUp, ready ? wordsMs : startMs));
        },
        setLanguage: () => {
          // The language cannot be changed: the program supports only English.
        },
        close: () => {
          report.close();
          release();
        },
      };
    },
  };
}

/** Offline recognition of American English, with one process per stream. */
export const pocketsphinx = (options: PocketsphinxAdapterOptions = {}): StreamingAdapter => ({
  name: provider,
  requiresKey: false,
  transcriber: () => recogniser(options),
});
