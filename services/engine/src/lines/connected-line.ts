import type { BrowserNotice } from './browser-messages';
import type { Line, LineListener } from './line';

/** A line of any kind that has connected to the media port. Nothing is read before `listen`. */
export interface ConnectedLine extends Line {
  /** Whether the other side may send no audio while it is silent, such as a browser without a microphone. Default: false. */
  readonly fallsSilent?: boolean;
  /** Whether the carrier requests further instructions from the platform when the line is closed, and reconnects it if the call continues. Default: false. */
  readonly reconnects?: boolean;
  /** Operator commands that this line does not support. Default: all are supported. */
  readonly cannot?: ReadonlySet<'press' | 'transfer'>;
  /** Sends DTMF keys by the signaling of the line, if it has any. @throws if they were not sent */
  readonly press?: ((digits: string) => Promise<void>) | undefined;
  /** Starts to report incoming messages. */
  listen(listener: LineListener): void;
  /** Whether the other side can display the state of the call. Default: true. */
  readonly shows?: boolean;
  /** Sends the state of the call to the other side for display, if supported. */
  notice(notice: BrowserNotice): void;
  /** Ends the line and sends the reason of the call's end. */
  finish(endedReason: string, reasonDetail: string | null): void;
}

/** Called once when a stream has started. @param token empty if none was sent */
export type StreamStarted = (line: ConnectedLine, token: string) => void;
