import type { Audio } from '../carriers/carrier';
import type { Reply, ReplyRequest } from '../domain/scripted-reply';

/** Speech to text. */
export interface Transcriber {
  transcribe(audio: Audio, language: string): Promise<string>;
}

/** What the agent says next. */
export interface Model {
  reply(request: ReplyRequest): Promise<Reply>;
}

/** Text to speech. */
export interface Voice {
  synthesize(text: string, language: string): Promise<Audio>;
}

/** The three components of a cascade. */
export interface Providers {
  readonly transcriber: Transcriber;
  readonly model: Model;
  readonly voice: Voice;
}
