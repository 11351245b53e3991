import type { BrowserNotice } from './browser-messages';
import type { Line, LineListener } from './line';

/** A line that came to the media port, of whatever kind: nothing of it is heard before `listen`. */
export interface ConnectedLine extends Line {
  /** The other side may send nothing while it has nothing to say, such as a browser without a microphone. Default: false. */
  readonly fallsSilent?: boolean;
  /** Its carrier asks the platform what follows when the line is closed, and connects it again where the call goes on. Default: false. */
  readonly reconnects?: boolean;
  /** What an operator may ask for and this line cannot do. Default: it can. */
  readonly cannot?: ReadonlySet<'press' | 'transfer'>;
  /** Sends keys as signals of the line, where it has such. @throws where they were not sent */
  readonly press?: ((digits: string) => Promise<void>) | undefined;
  /** From here on what comes is reported. */
  listen(listener: LineListener): void;
  /** Whether the other side can show the state of the call. Default: true. */
  readonly shows?: boolean;
  /** Shows the state of the call, where the other side can show it. */
  notice(notice: BrowserNotice): void;
  /** Ends the line with the reason of the call's end. */
  finish(endedReason: string, reasonDetail: string | null): void;
}

/** Called once where a stream has started. @param token empty for none */
export type StreamStarted = (line: ConnectedLine, token: string) => void;
