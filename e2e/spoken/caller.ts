import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { until } from '../until';

const bytesPerMs = 32;
const frameMs = 20;

export interface Notice {
  readonly type: string;
  readonly speaker?: string;
  readonly turn_id?: string;
  readonly text?: string;
  readonly final?: boolean;
  readonly state?: string;
  readonly name?: string;
  readonly ended_reason?: string;
}

/** A person on a browser line: speaks in real time, listens, and returns each mark when the audio before it was played. */
export class Caller {
  readonly notices: Notice[] = [];
  heardBytes = 0;
  private playedAt = 0;
  readonly closed: Promise<number>;

  private constructor(private readonly socket: WebSocket) {
    socket.on('message', (data: Buffer, binary: boolean) => this.take(data, binary));
    this.closed = once(socket, 'close').then(([code]) => code as number);
  }

  static async connect(url: string, token: string): Promise<Caller> {
    const socket = new WebSocket(url, ['parley.audio.v1', `parley.token.${token}`]);
    const caller = new Caller(socket);
    await once(socket, 'open');
    return caller;
  }

  /** @param wave 16 bits, one channel, 16,000 samples a second, with a header of 44 bytes */
  async say(wave: Buffer): Promise<void> {
    const sound = Buffer.concat([wave.subarray(44), Buffer.alloc(1_200 * bytesPerMs)]);
    const begin = performance.now();
    for (let at = 0; at < sound.length; at += frameMs * bytesPerMs) {
      this.socket.send(sound.subarray(at, at + frameMs * bytesPerMs));
      const aheadMs = begin + at / bytesPerMs - performance.now();
      if (aheadMs > 0) await pause(aheadMs);
    }
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  said(speaker: 'caller' | 'agent'): string[] {
    return this.notices.flatMap((one) =>
      one.type === 'transcript' && one.speaker === speaker && one.final === true ? [one.text ?? ''] : [],
    );
  }

  /** Resolves when the agent has finished saying the text, and listens. */
  async hears(text: string): Promise<void> {
    await until(`the agent says: ${text}`, () => this.said('agent').includes(text));
    await until(
      'the agent listens',
      () => this.notices.findLast(({ type }) => type === 'state')?.state === 'listening',
    );
  }

  private take(data: Buffer, binary: boolean): void {
    const now = performance.now();
    if (binary) {
      this.heardBytes += data.length;
      this.playedAt = Math.max(now, this.playedAt) + data.length / bytesPerMs;
      return;
    }
    const message = JSON.parse(data.toString()) as Notice;
    if (message.type === 'clear') this.playedAt = now;
    if (message.type === 'mark') setTimeout(() => this.send(message), this.playedAt - now);
    else this.notices.push(message);
  }
}
