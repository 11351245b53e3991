import { type CallLiveAudio, liveAudio } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { WebSocket } from 'ws';

/** The interval at which the key and the connection are checked and missing audio is requested again. */
const lookMs = 1_000;
/** If no audio arrives for this long, it is requested again, because the call may have another worker, or is over. */
const missingMs = 2_000;
const longestMissingMs = 60_000;
/** Maximum of bytes buffered for a slow connection: 4 s. */
const mostWaitingBytes = 64 * 1024;
/** The timeout of a stalled connection. */
const stuckMs = 30_000;
/** The timeout of the close handshake. */
const leavingMs = 2_000;
const bytesPerMs = (liveAudio.sample_rate * liveAudio.channels) / 1_000;

/** Close codes of RFC 6455. */
const closing = { over: 1000, leaving: 1001, refused: 1008, failed: 1011, later: 1013 } as const;

/** The first message of the websocket. */
export const startOf = (callId: string): CallLiveAudio => ({ type: 'start', call_id: callId, ...liveAudio });

export interface ListenerOptions {
  readonly callId: string;
  /** Aborted when this process stops. */
  readonly signal: AbortSignal;
  /** @throws AppError if the listener's key is no longer valid */
  callerNow(): Promise<unknown>;
  /** Requests the call's audio from its worker again. @throws AppError */
  again(): Promise<unknown>;
  /** After this call `take` is no longer called. */
  off(): void;
}

/** One listener. Audio that it does not read in time is dropped, so that neither the call nor other listeners are delayed. */
export class Listener {
  private socket: WebSocket | undefined;
  private droppedBytes = 0;
  private heardAt = performance.now();
  private takenAt = performance.now();
  private looking = false;

  constructor(private readonly options: ListenerOptions) {}

  readonly take = (sound: Buffer): void => {
    this.heardAt = performance.now();
    const { socket } = this;
    if (socket === undefined) return;
    if (socket.bufferedAmount > mostWaitingBytes) {
      this.droppedBytes += sound.length;
      return;
    }
    if (this.droppedBytes > 0) {
      this.say({ type: 'dropped', ms: Math.round(this.droppedBytes / bytesPerMs) });
      this.droppedBytes = 0;
    }
    socket.send(sound);
  };

  serve(socket: WebSocket): void {
    this.socket = socket;
    const { callId, signal } = this.options;
    this.say(startOf(callId));
    const timer = setInterval(() => this.look(socket), lookMs);
    const leave = (): void => {
      socket.close(closing.leaving);
      // A client that does not read does not complete the close handshake either.
      setTimeout(() => socket.terminate(), leavingMs).unref();
    };
    signal.addEventListener('abort', leave, { once: true });
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => (this.takenAt = performance.now()));
    socket.once('close', () => {
      clearInterval(timer);
      signal.removeEventListener('abort', leave);
      this.options.off();
    });
    if (signal.aborted) leave();
  }

  private look(socket: WebSocket): void {
    if (performance.now() - this.takenAt > stuckMs) return socket.terminate();
    socket.ping();
    if (this.looking) return;
    this.looking = true;
    this.check(socket)
      .catch(() => socket.close(closing.failed))
      .finally(() => (this.looking = false));
  }

  private async check(socket: WebSocket): Promise<void> {
    const { callerNow, again } = this.options;
    try {
      await callerNow();
    } catch {
      return socket.close(closing.refused);
    }
    const missing = performance.now() - this.heardAt;
    if (missing < missingMs) return;
    if (missing > longestMissingMs) return socket.close(closing.later);
    try {
      await again();
    } catch (error) {
      const code = error instanceof AppError ? error.code : 'internal_error';
      if (code === 'control_unavailable') return socket.close(closing.failed);
      if (code !== 'NotFoundError' && code !== 'ConflictError') return;
      this.say({ type: 'ended' });
      socket.close(closing.over);
    }
  }

  private say(message: object): void {
    this.socket?.send(JSON.stringify(message));
  }
}
