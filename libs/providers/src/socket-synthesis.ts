import { EventQueue } from './event-queue';
import type { ProviderError } from './provider-error';
import { ProviderSocket, type ProviderSocketOptions } from './provider-socket';
import type { SpokenWord, SynthesisEvent, SynthesisStream } from './synthesizer';

type Message = Readonly<Record<string, unknown>>;

/** The content of a provider's message. */
export interface Heard {
  readonly samples?: Int16Array;
  readonly words?: readonly SpokenWord[];
  readonly done?: boolean;
  readonly failed?: ProviderError;
}

export interface SocketSynthesisOptions extends Omit<ProviderSocketOptions, 'onMessage' | 'onFailed'> {
  /** Messages sent before any text. */
  readonly first: readonly Message[];
  /** The message for a piece of text; undefined if nothing is to be sent yet. */
  readonly text: (text: string) => Message | undefined;
  /** The messages, in order, that mark the end of the text. */
  readonly end: Message | (() => readonly Message[]);
  /** The message that cancels the rest, sent before the connection is closed because the reader has stopped. */
  readonly cancel?: Message;
  readonly read: (message: Record<string, unknown>) => Heard;
}

/** One utterance over one WebSocket: text is sent as it becomes available, and audio is received while it is synthesized. */
export class SocketSynthesis implements SynthesisStream {
  private readonly queue: EventQueue<SynthesisEvent>;
  private readonly socket: ProviderSocket;
  private written = false;
  private ended = false;

  constructor(private readonly options: SocketSynthesisOptions) {
    this.queue = new EventQueue<SynthesisEvent>({
      onPressure: (behind) => this.socket.pause(behind),
      onLeft: () => this.socket.close(options.cancel),
    });
    this.socket = new ProviderSocket({
      ...options,
      onMessage: (message) => this.take(message),
      onFailed: (error) => {
        if (error.code === 'canceled') this.queue.cut(error);
        else this.queue.fail(error);
      },
    });
    for (const message of options.first) this.socket.sendJson(message);
  }

  get events(): AsyncIterable<SynthesisEvent> {
    return this.queue;
  }

  write(text: string): void {
    if (this.ended || text === '') return;
    const message = this.options.text(text);
    if (message === undefined) return;
    this.socket.sendJson(message);
    // From the first text on, audio is expected; text that the provider is still buffering does not count as late.
    if (!this.written) this.socket.expect(this.options.limits.firstMs);
    this.written = true;
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    const { end, limits } = this.options;
    for (const message of typeof end === 'function' ? end() : [end]) this.socket.sendJson(message);
    this.socket.expect(limits.firstMs);
  }

  private take(message: Record<string, unknown>): void {
    const { samples, words, done, failed } = this.options.read(message);
    if (failed !== undefined) return this.socket.fail(failed);
    if (samples !== undefined && samples.length > 0) {
      this.queue.push({ type: 'audio', samples });
      // Until all text is written, the provider may be waiting for more text.
      this.socket.expect(this.ended ? this.options.limits.betweenMs : undefined);
    }
    if (words !== undefined && words.length > 0) this.queue.push({ type: 'words', words });
    if (done !== true) return;
    this.socket.close();
    this.queue.push({ type: 'done' });
    this.queue.finish();
  }
}
