import { EventQueue } from './event-queue';
import { canceled } from './failures';
import { ProviderError } from './provider-error';
import { SentenceCutter } from '@parley/speech';
import type { SynthesisEvent, SynthesisStream } from './synthesizer';

/** Synthesizes one sentence. @throws ProviderError while iterating */
export type SpeakSentence = (sentence: string, signal: AbortSignal) => AsyncIterable<Int16Array>;

/** A voice has nothing to say for punctuation, and some refuse it. */
const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** A stream for a voice that accepts only complete sentences: one request per sentence, one after another. */
export class SentenceSynthesis implements SynthesisStream {
  private readonly cutter: SentenceCutter;
  private readonly sentences: string[] = [];
  private readonly queue: EventQueue<SynthesisEvent>;
  private readonly controller = new AbortController();
  private ended = false;
  private speaking = false;
  private goOn: (() => void) | undefined;
  private readonly aborted = (): void => {
    this.controller.abort();
    this.queue.cut(canceled(this.provider));
    this.proceed();
  };

  constructor(
    private readonly provider: string,
    private readonly speak: SpeakSentence,
    private readonly signal: AbortSignal,
    /** BCP 47 */
    language: string,
  ) {
    this.cutter = new SentenceCutter(language);
    this.queue = new EventQueue<SynthesisEvent>({
      onPressure: (behind) => {
        if (!behind) this.proceed();
      },
      onLeft: () => {
        this.controller.abort();
        this.proceed();
      },
    });
    if (signal.aborted) this.aborted();
    else signal.addEventListener('abort', this.aborted, { once: true });
  }

  get events(): AsyncIterable<SynthesisEvent> {
    return this.queue;
  }

  write(text: string): void {
    if (this.ended) return;
    this.sentences.push(...this.cutter.write(text).filter(hasWords));
    this.next();
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    const rest = this.cutter.end();
    if (rest !== undefined && hasWords(rest)) this.sentences.push(rest);
    this.next();
  }

  private next(): void {
    if (this.speaking || this.controller.signal.aborted) return;
    const sentence = this.sentences.shift();
    if (sentence !== undefined) {
      this.speaking = true;
      // `say` reports errors itself.
      this.say(sentence).then(
        () => {
          this.speaking = false;
          this.next();
        },
        () => {},
      );
    } else if (this.ended) this.finish(undefined);
  }

  private async say(sentence: string): Promise<void> {
    try {
      for await (const samples of this.speak(sentence, this.controller.signal)) {
        if (samples.length > 0) this.queue.push({ type: 'audio', samples });
        if (this.queue.isBehind) await new Promise<void>((resolve) => (this.goOn = resolve));
      }
    } catch (error) {
      this.finish(
        error instanceof ProviderError
          ? error
          : new ProviderError(this.provider, 'unavailable', 'speech synthesis failed'),
      );
    }
  }

  private proceed(): void {
    this.goOn?.();
    this.goOn = undefined;
  }

  private finish(error: ProviderError | undefined): void {
    this.signal.removeEventListener('abort', this.aborted);
    if (error === undefined) {
      this.queue.push({ type: 'done' });
      return this.queue.finish();
    }
    this.controller.abort();
    this.queue.fail(error);
  }
}
