import type { Audio, CallClock } from '../carriers/carrier';
import type { Reply, ReplyRequest } from '../domain/scripted-reply';

/** Every component is given a signal with each request, and stops working on it when the signal aborts. */

/** Speech to text. */
export interface Transcriber {
  transcribe(audio: Audio, language: string, signal: AbortSignal): Promise<string>;
}

/** What the agent says next. */
export interface Model {
  reply(request: ReplyRequest, signal: AbortSignal): Promise<Reply>;
}

/** Text to speech. */
export interface Voice {
  synthesize(text: string, language: string, signal: AbortSignal): Promise<Audio>;
}

/** The three components of a cascade. */
export interface Providers {
  readonly transcriber: Transcriber;
  readonly model: Model;
  readonly voice: Voice;
}

/** What this worker has of one provider; a component that is left out it cannot run. */
export interface ProviderAdapter {
  /** As publications name it. */
  readonly name: string;
  readonly transcriber?: (clock: CallClock) => Transcriber;
  readonly model?: (clock: CallClock) => Model;
  readonly voice?: (clock: CallClock) => Voice;
}
