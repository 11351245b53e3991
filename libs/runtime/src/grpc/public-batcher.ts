import type { Channel } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import type { Load, Waiting } from './public-awaited';
import { sendBatch } from './public-batch';
import { PublicStreams } from './public-streams';

/** Maximum of requests per message. */
const MOST = 64;

/** A request with a larger body is sent in a separate message, because 64 of them would exceed the maximum message size. */
const HEAVY_BYTES = 64 * 1024;

/** Collects requests until a tick of the event loop adds no more. */
export class PublicBatcher {
  private waiting: Waiting[] = [];
  private before = 0;
  /** The number of requests in the last batch. */
  private last = 0;
  private readonly load: Load = { awaited: 0 };
  private readonly streams: PublicStreams;

  constructor(private readonly channel: Channel) {
    this.streams = new PublicStreams(channel, this.load, this.sendByItself);
  }

  close(): void {
    this.streams.close();
  }

  add(request: Waiting, alone: boolean): void {
    if (request.signal?.aborted) {
      request.reject(internal(request.signal.reason, 503));
    } else if (alone || request.parameters.body.length > HEAVY_BYTES) {
      this.sendByItself([request]);
    } else {
      if (this.waiting.length === 0) this.collect();
      this.waiting.push(request);
    }
  }

  /**
   * If the last request was alone and is completed, this one is probably alone too. It then waits only for the end of the current tick, instead of a turn of
   * the event loop.
   */
  private collect(): void {
    if (this.load.awaited === 0 && this.last === 1) process.nextTick(this.leave);
    else setImmediate(this.flush);
  }

  /** Responses that arrive together trigger the next requests over several ticks, so collecting continues as long as a tick added requests. */
  private readonly flush = (): void => {
    if (this.waiting.length > this.before && this.waiting.length < MOST) {
      this.before = this.waiting.length;
      setImmediate(this.flush);
      return;
    }
    this.before = 0;
    this.leave();
  };

  private readonly leave = (): void => {
    const leaving: Waiting[] = [];
    for (const request of this.waiting.splice(0)) {
      if (request.signal?.aborted) request.reject(internal(request.signal.reason, 503));
      else leaving.push(request);
    }
    this.last = leaving.length;
    for (let from = 0; from < leaving.length; from += MOST) this.send(leaving.slice(from, from + MOST));
  };

  private send(batch: readonly Waiting[]): void {
    sendOrReject(batch, () => this.streams.send(batch));
  }

  /** Sends requests in a call that ends with their replies. */
  private readonly sendByItself = (batch: readonly Waiting[]): void => {
    sendOrReject(batch, () => sendBatch(this.channel, batch, this.load));
  };
}

function sendOrReject(batch: readonly Waiting[], send: () => void): void {
  try {
    send();
  } catch (error) {
    // The channel was closed in the meantime.
    for (const request of batch) request.reject(error);
  }
}
