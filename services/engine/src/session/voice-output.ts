import type { Logger } from '@parley/runtime';
import type { SpeechInput } from '../core/inputs';
import type { SampleRate } from '../lines/line';
import type { Playout } from '../media/playout';
import {
  ProviderError,
  type SpokenWord,
  type SynthesisOptions,
  type SynthesisStream,
  type Synthesizer,
} from '@parley/providers';
import { SpokenText } from '@parley/speech';
import type { UtteranceStart } from './call-line';

/** The component that speaks in one language of the call. */
export interface SpeakingComponent {
  readonly synthesizer: Synthesizer;
  readonly own: Pick<SynthesisOptions, 'model' | 'voiceId' | 'delivery' | 'options'>;
}

export interface VoiceOutputOptions {
  readonly componentFor: (language: string) => SpeakingComponent;
  readonly sampleRate: SampleRate;
  readonly playout: Pick<Playout, 'say' | 'stop' | 'effect' | 'stopEffects' | 'heardOf'>;
  /** Milliseconds on the playout's clock. */
  readonly now: () => number;
  readonly onInput: (input: SpeechInput) => void;
  readonly log: Logger;
}

/** The interval of progress reports. */
const progressMs = 200;
/** The maximum speaking rate. It limits the estimate of how much text was heard while the total duration is unknown. */
const mostCharactersPerSecond = 20;

/** One utterance, from its first text to its last sample on the line. Offsets of the voice are in the text that it got. */
class Utterance {
  spoken = '';
  /** Samples that wait for the release of the utterance, or for space in the playout's buffer. */
  waiting: Int16Array[] = [];
  samples = 0;
  reportedMs = 0;
  heardSamples = 0;
  /** Whether any of it was sent to the line. */
  sent = false;
  done = false;
  isPassing = false;
  readonly words: SpokenWord[] = [];

  constructor(
    readonly number: number,
    public held: boolean,
    readonly text: SpokenText,
    readonly stream: SynthesisStream,
    readonly controller: AbortController,
  ) {}
}

/** The voice of one call: synthesizes utterances in order, sends them to the line, and reports what was heard. */
export class VoiceOutput {
  private current: Utterance | undefined;
  private aside: AbortController | undefined;
  private asides = 0;

  constructor(private readonly options: VoiceOutputOptions) {}

  start({ utterance, held, language, verbatim }: UtteranceStart): void {
    this.current?.controller.abort();
    const controller = new AbortController();
    const stream = this.open(language, controller.signal);
    const current = new Utterance(utterance, held, new SpokenText(language, verbatim), stream, controller);
    this.current = current;
    this.follow(current).catch((error: unknown) => {
      if (controller.signal.aborted) return;
      this.options.log.warn({ err: error, utterance }, 'the voice failed');
      const refused = error instanceof ProviderError && error.code === 'invalid_request';
      this.options.onInput({ type: 'speech_failed', utterance, ...(refused && { refused }) });
    });
  }

  speak(utterance: number, text: string): void {
    const current = this.of(utterance);
    if (current !== undefined) this.write(current, current.text.write(text));
  }

  finish(utterance: number): void {
    const current = this.of(utterance);
    if (current === undefined) return;
    this.write(current, current.text.end());
    // A voice that got no words is not asked.
    if (current.spoken !== '') return current.stream.end();
    current.controller.abort();
    this.whole(current);
  }

  release(utterance: number): void {
    const current = this.of(utterance);
    if (current === undefined) return;
    current.held = false;
    this.pass(current);
    this.finishWhenHeard(current);
  }

  hold(utterance: number): void {
    const current = this.of(utterance);
    if (current !== undefined) current.held = true;
  }

  /** Stops immediately, after reporting what was heard. */
  stop(utterance: number): void {
    const current = this.of(utterance);
    if (current === undefined) return;
    this.current = undefined;
    current.controller.abort();
    if (!current.sent) return;
    this.options.playout.stop(this.options.now());
    current.heardSamples = Math.max(current.heardSamples, this.options.playout.heardOf(nameOf(utterance)));
    if (current.heardSamples > 0) this.reportPlayed(current);
  }

  /** Called by the playout's listener with how much of an utterance was played. */
  heard(name: string, samples: number): void {
    const { current } = this;
    if (current === undefined || name !== nameOf(current.number)) return;
    current.heardSamples = samples;
    if (current.waiting.length > 0) this.pass(current);
    if (this.msOf(samples) >= current.reportedMs + progressMs) this.reportPlayed(current);
    this.finishWhenHeard(current);
  }

  sayAside(text: string, language: string): void {
    const stage = new SpokenText(language);
    const spoken = stage.write(text) + stage.end();
    if (spoken === '') return;
    this.aside?.abort();
    const controller = new AbortController();
    this.aside = controller;
    const stream = this.open(language, controller.signal);
    stream.write(spoken);
    stream.end();
    this.asides += 1;
    const name = `aside-${this.asides}`;
    const follow = async (): Promise<void> => {
      for await (const event of stream.events)
        if (event.type === 'audio' && !controller.signal.aborted)
          this.options.playout.effect(name, event.samples, this.options.now());
    };
    follow().catch((error: unknown) => {
      if (!controller.signal.aborted) this.options.log.warn({ err: error }, 'a phrase could not be spoken');
    });
  }

  sound(samples: Int16Array): void {
    this.aside?.abort();
    this.asides += 1;
    this.options.playout.effect(`aside-${this.asides}`, samples, this.options.now());
  }

  stopAside(): void {
    this.aside?.abort();
    this.aside = undefined;
    this.options.playout.stopEffects(this.options.now());
  }

  end(): void {
    this.current?.controller.abort();
    this.current = undefined;
    this.aside?.abort();
  }

  private write(utterance: Utterance, text: string): void {
    if (text === '') return;
    utterance.spoken += text;
    utterance.stream.write(text);
  }

  private of(utterance: number): Utterance | undefined {
    return this.current?.number === utterance ? this.current : undefined;
  }

  private open(language: string, signal: AbortSignal): SynthesisStream {
    const { synthesizer, own } = this.options.componentFor(language);
    return synthesizer.open({ ...own, language, sampleRate: this.options.sampleRate }, signal);
  }

  private async follow(utterance: Utterance): Promise<void> {
    const { onInput } = this.options;
    const { number, controller } = utterance;
    for await (const event of utterance.stream.events) {
      if (controller.signal.aborted) return;
      if (event.type === 'words') utterance.words.push(...event.words);
      else if (event.type === 'audio' && event.samples.length > 0) {
        if (utterance.samples === 0) onInput({ type: 'speech_audio', utterance: number });
        utterance.samples += event.samples.length;
        utterance.waiting.push(event.samples);
        this.pass(utterance);
      } else if (event.type === 'done') this.whole(utterance);
    }
  }

  private whole(utterance: Utterance): void {
    const { onInput } = this.options;
    // An utterance without anything pronounceable has no audio; it counts as heard.
    if (utterance.samples === 0) onInput({ type: 'speech_audio', utterance: utterance.number });
    utterance.done = true;
    onInput({ type: 'speech_done', utterance: utterance.number, durationMs: this.msOf(utterance.samples) });
    this.finishWhenHeard(utterance);
  }

  /** Sends as much as the playout accepts. The rest waits for playback progress. */
  private pass(utterance: Utterance): void {
    const { playout, now } = this.options;
    // While it accepts audio, the playout reports progress, and that report calls this method again. Only the outer call sends, so that the order is kept.
    if (utterance.held || utterance.isPassing) return;
    utterance.isPassing = true;
    for (let [first] = utterance.waiting; first !== undefined; [first] = utterance.waiting) {
      if (!playout.say(nameOf(utterance.number), first, now())) break;
      utterance.waiting.shift();
      utterance.sent = true;
    }
    utterance.isPassing = false;
  }

  private finishWhenHeard(utterance: Utterance): void {
    const { done, held, heardSamples, samples } = utterance;
    if (this.current !== utterance || !done || held || heardSamples < samples) return;
    this.current = undefined;
    this.options.onInput({ type: 'playout_finished', utterance: utterance.number });
  }

  private reportPlayed(utterance: Utterance): void {
    const ms = this.msOf(utterance.heardSamples);
    utterance.reportedMs = ms;
    this.options.onInput({ type: 'played', utterance: utterance.number, offset: this.offsetOf(utterance, ms), ms });
  }

  /** The offset of the written text that was heard: by the times of words if the voice reports them, otherwise by the share of the audio. */
  private offsetOf({ text, spoken, words, samples, done }: Utterance, ms: number): number {
    const last = words.findLast(({ endMs }) => endMs <= ms);
    if (words.length > 0) return text.writtenAt(last === undefined ? 0 : last.offset + last.length);
    const share = Math.floor((spoken.length * ms) / this.msOf(samples));
    return text.writtenAt(done ? share : Math.min(share, Math.floor((ms * mostCharactersPerSecond) / 1000)));
  }

  private msOf(samples: number): number {
    return (samples * 1000) / this.options.sampleRate;
  }
}

const nameOf = (utterance: number): string => `utterance-${utterance}`;
