import type { Channel } from '@grpc/grpc-js';
import { internal } from '@parley/errors';
import type { Load, Waiting } from './public-awaited';
import { sendBatch } from './public-batch';
import { PublicStreams } from './public-streams';

/** Maximum of requests per message. */
const MOST = 64;

/** A larger body is sent in a message of its own: 64 of them would exceed the maximum message size. */
const HEAVY_BYTES = 64 * 1024;

/** Collects requests until a turn of the event loop adds no further one. */
export class PublicBatcher {
  private waiting: Waiting[] = [];
  private before = 0;
  /** Number of requests in the last batch. */
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

  /** If the last request was alone and is completed, this one is probably alone, too: it waits for the current tick only, not for a turn of the event loop. */
  private collect(): void {
    if (this.load.awaited === 0 && this.last === 1) process.nextTick(this.leave);
    else setImmediate(this.flush);
  }

  /** Simultaneous responses trigger the next requests over several ticks: as long as a tick added some, wait for one more. */
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

  /** In a call that ends with its replies. */
  private readonly sendByItself = (batch: readonly Waiting[]): void => {
    sendOrReject(batch, () => sendBatch(this.channel, batch, this.load));
  };
}

function sendOrReject(batch: readonly Waiting[], send: () => void): void {
  try {
    send();
  } catch (error) {
    // The channel was closed meanwhile.
    for (const request of batch) request.reject(error);
  }
}
