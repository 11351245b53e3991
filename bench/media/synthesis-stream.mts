import { WebSocket } from 'ws';
import { decodeMuLaw } from './mulaw.mts';

/** A chunk of synthesized speech: mu-law in base64. `done` is set in the last one of a sentence. */
export interface SynthesisMessage {
  readonly context: string;
  readonly audio?: string;
  readonly done?: boolean;
}

export interface SentenceListener {
  audio(samples: Int16Array): void;
  done(): void;
}

/** One call's connection to the voice, open for the whole call: sends sentences, each with a context of its own, and receives audio. */
export class SynthesisStream {
  private readonly socket: WebSocket;
  private readonly listeners = new Map<string, SentenceListener>();
  private contexts = 0;
  private closed = false;

  constructor(url: string, ca: string) {
    this.socket = new WebSocket(url, { ca, perMessageDeflate: false });
    this.socket.on('message', (data) => this.take(JSON.parse((data as Buffer).toString()) as SynthesisMessage));
    this.socket.on('error', (error) => {
      if (!this.closed) console.error('a synthesizer is gone:', error.message);
    });
  }

  /** @returns a function that cancels the sentence */
  speak(text: string, listener: SentenceListener): () => void {
    this.contexts += 1;
    const context = String(this.contexts);
    this.listeners.set(context, listener);
    this.send({ context, text });
    return () => {
      if (this.listeners.delete(context)) this.send({ context, cancel: true });
    };
  }

  close(): void {
    this.closed = true;
    this.socket.close();
  }

  private send(message: object): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private take({ context, audio, done }: SynthesisMessage): void {
    const listener = this.listeners.get(context);
    // Audio of a canceled sentence may still arrive.
    if (listener === undefined) return;
    if (audio !== undefined) listener.audio(decodeMuLaw(Buffer.from(audio, 'base64')));
    if (done !== true) return;
    this.listeners.delete(context);
    listener.done();
  }
}
