import type { BrowserNotice } from './browser-messages';
import type { Line, LineListener } from './line';

/** A line of any kind that connected to the media port: nothing is read before `listen`. */
export interface ConnectedLine extends Line {
  /** The other side may send no audio while it is silent, such as a browser without a microphone. Default: false. */
  readonly fallsSilent?: boolean;
  /** Its carrier asks the platform for further instructions when the line is closed, and reconnects it if the call continues. Default: false. */
  readonly reconnects?: boolean;
  /** Operator commands that this line does not support. Default: all are supported. */
  readonly cannot?: ReadonlySet<'press' | 'transfer'>;
  /** Sends keys by the line's signalling, if it has any. @throws if they were not sent */
  readonly press?: ((digits: string) => Promise<void>) | undefined;
  /** Reports incoming messages from here on. */
  listen(listener: LineListener): void;
  /** Whether the other side can display the state of the call. Default: true. */
  readonly shows?: boolean;
  /** Sends the state of the call to the other side for display, if supported. */
  notice(notice: BrowserNotice): void;
  /** Ends the line with the reason of the call's end. */
  finish(endedReason: string, reasonDetail: string | null): void;
}

/** Called once when a stream has started. @param token empty for none */
export type StreamStarted = (line: ConnectedLine, token: string) => void;
