import type { Audio, CallClock } from '../carriers/carrier';
import type { Reply, ReplyRequest } from '../domain/scripted-reply';
import type { Providers } from '../providers/provider';
import { attempt, longestAttempts } from './attempt';

/** The components of one call's agent, asked so that no request outlives what it was for: the agent's turn, or the call. */
export class Components {
  private readonly call = new AbortController();
  private turn = new AbortController();

  constructor(
    private readonly providers: Providers,
    private readonly clock: CallClock,
  ) {}

  /** Another turn of the agent: what the one before it still asks for is not wanted any more. */
  nextTurn(): void {
    this.turn.abort();
    this.turn = new AbortController();
  }

  /** The call is over. */
  end(): void {
    this.turn.abort();
    this.call.abort();
  }

  transcribe(audio: Audio, language: string): Promise<string> {
    return this.ask(longestAttempts.transcriber, this.call.signal, (signal) =>
      this.providers.transcriber.transcribe(audio, language, signal),
    );
  }

  reply(request: ReplyRequest): Promise<Reply> {
    return this.ask(longestAttempts.model, this.turn.signal, (signal) => this.providers.model.reply(request, signal));
  }

  synthesize(text: string, language: string): Promise<Audio> {
    return this.ask(longestAttempts.voice, this.turn.signal, (signal) =>
      this.providers.voice.synthesize(text, language, signal),
    );
  }

  private ask<T>(longestMs: number, wanted: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return attempt({ clock: this.clock, longestMs, wanted }, ask);
  }
}
