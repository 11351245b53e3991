import type { WebSocket } from 'ws';
import type { ConnectedLine, StreamStarted } from './connected-line';
import type { LineEnd, LineListener, LineLoss } from './line';
import { TwilioLine } from './twilio';

/** Opens a stream on a new connection. Its start message contains the token that identifies its call. */
export function openTwilioStream(socket: WebSocket, started: StreamStarted): void {
  new TwilioLine(socket, (line, { customParameters }) => {
    // Nothing more is read before a listener is attached: the carrier's audio stays in the connection.
    socket.pause();
    const call = new TwilioCall(line, socket);
    started(call, customParameters['token'] ?? '');
    return call;
  });
  socket.resume();
}

/** A stream that waits until its call has a runner. */
class TwilioCall implements ConnectedLine, LineListener {
  readonly sampleRate = 8_000;
  readonly reconnects = true;
  readonly shows = false;
  private listener: LineListener | undefined;
  /** Messages that were read together with the start message. */
  private readonly early: ((listener: LineListener) => void)[] = [];

  constructor(
    private readonly line: TwilioLine,
    private readonly socket: WebSocket,
  ) {}

  listen(listener: LineListener): void {
    this.listener = listener;
    for (const report of this.early.splice(0)) report(listener);
    this.socket.resume();
  }

  get bufferedBytes(): number {
    return this.line.bufferedBytes;
  }

  get isCongested(): boolean {
    return this.line.isCongested;
  }

  send(samples: Int16Array): void {
    this.line.send(samples);
  }

  mark(name: string): void {
    this.line.mark(name);
  }

  clear(): void {
    this.line.clear();
  }

  /** A telephone has no display. */
  notice(): void {}

  /** Closes the stream: the carrier then requests further instructions from the platform. */
  finish(): void {
    this.hangUp();
  }

  hangUp(): void {
    this.line.hangUp();
    // A paused socket does not detect that the other side closes.
    this.socket.resume();
  }

  audio(samples: Int16Array): void {
    this.notify((listener) => listener.audio(samples));
  }

  marked(name: string): void {
    this.notify((listener) => listener.marked(name));
  }

  pressed(digits: string): void {
    this.notify((listener) => listener.pressed(digits));
  }

  typed(text: string): void {
    this.notify((listener) => listener.typed(text));
  }

  lost(what: LineLoss): void {
    this.notify((listener) => listener.lost?.(what));
  }

  ended(end: LineEnd): void {
    this.notify((listener) => listener.ended(end));
  }

  private notify(report: (listener: LineListener) => void): void {
    if (this.listener === undefined) this.early.push(report);
    else report(this.listener);
  }
}
