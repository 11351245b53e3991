import type { Logger } from '@parley/runtime';
import type { TranscriberInput } from '../core/inputs';
import type { SampleRate } from '../lines/line';
import type { Transcriber, TranscriptionEvent, TranscriptionStream } from '@parley/providers';

/** The transcriber of a call in one language. */
export interface ListeningComponent {
  readonly transcriber: Transcriber;
  readonly model: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

export interface CallTranscriberOptions {
  /** The component for a language of the call. */
  readonly componentFor: (language: string) => ListeningComponent;
  readonly language: string;
  /** Languages that the caller may switch to. */
  readonly alternatives: readonly string[];
  readonly sampleRate: SampleRate;
  readonly onInput: (input: TranscriberInput) => void;
  readonly log: Logger;
}

/** The transcriber of one call: one stream at a time; segment numbers increase over all of them. */
export class CallTranscriber {
  private stream: TranscriptionStream | undefined;
  private controller = new AbortController();
  private component: ListeningComponent;
  private language: string;
  /** The highest segment number of the earlier streams. */
  private base = 0;
  private highest = 0;
  private closed = false;

  constructor(private readonly options: CallTranscriberOptions) {
    this.language = options.language;
    this.component = options.componentFor(options.language);
  }

  open(): void {
    if (this.closed) return;
    const { alternatives, sampleRate } = this.options;
    const { transcriber, model, options } = this.component;
    this.release();
    this.base = this.highest;
    this.controller = new AbortController();
    const { signal } = this.controller;
    this.stream = transcriber.open(
      { model, language: this.language, alternatives, sampleRate, phrases: [], options },
      (event) => {
        if (!signal.aborted) this.take(event);
      },
      signal,
    );
  }

  /** Reopens the stream after a failure. */
  reopen(): void {
    this.open();
    this.options.onInput({ type: 'transcriber_opened' });
  }

  write(samples: Int16Array): void {
    this.stream?.write(samples);
  }

  finalize(): void {
    this.stream?.finalize();
  }

  setLanguage(language: string): void {
    this.language = language;
    const component = this.options.componentFor(language);
    const { switchesLanguage, detectsLanguage } = component.transcriber.capabilities;
    if (component === this.component && switchesLanguage) return this.stream?.setLanguage(language);
    // A transcriber that detects the call's languages already recognizes the new one. Reopening the stream would lose the current speech.
    if (component === this.component && detectsLanguage && this.options.alternatives.length > 0) return;
    this.component = component;
    this.open();
  }

  close(): void {
    this.closed = true;
    this.release();
  }

  private release(): void {
    this.controller.abort();
    this.stream?.close();
    this.stream = undefined;
  }

  private take(event: TranscriptionEvent): void {
    const { onInput, log } = this.options;
    switch (event.type) {
      case 'partial':
        return onInput({ type: 'partial', segment: this.numbered(event.segment), text: event.text });
      case 'final': {
        const { text, language } = event;
        const segment = this.numbered(event.segment);
        return onInput({ type: 'final', segment, text, ...(language === undefined ? {} : { language }) });
      }
      case 'turn_hint':
        return onInput({ type: 'turn_hint', finished: event.finished });
      case 'failed':
        log.warn({ err: event.error }, 'the transcriber failed');
        this.release();
        return onInput({ type: 'transcriber_failed', retry: event.error.mayFallBack });
    }
  }

  /** The number of a segment in the whole call, from 1. */
  private numbered(segment: number): number {
    const number = this.base + segment + 1;
    this.highest = Math.max(this.highest, number);
    return number;
  }
}
