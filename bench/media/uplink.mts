import { WebSocket } from 'ws';

export interface Transcript {
  readonly type: 'partial' | 'final';
  readonly text: string;
}

export interface UplinkOptions {
  /** An address with wss: or ws:. */
  readonly url: string;
  readonly ca: string;
  readonly onTranscript: (transcript: Transcript) => void;
}

/** Maximum buffered audio, before the connection is open or in it: two seconds. Older audio is useless. */
const mostWaiting = 2 * 8_000;

/** One call's connection to the transcriber: sends mu-law audio in messages of `messageBytes`, and receives transcripts. */
export class Uplink {
  private readonly socket: WebSocket;
  private readonly messageBytes: () => number;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private closed = false;

  constructor({ url, ca, onTranscript }: UplinkOptions, messageBytes: () => number) {
    this.messageBytes = messageBytes;
    this.socket = new WebSocket(url, { ca, perMessageDeflate: false });
    this.socket.on('message', (data) => onTranscript(JSON.parse((data as Buffer).toString()) as Transcript));
    this.socket.on('error', (error) => {
      if (!this.closed) console.error('a transcriber is gone:', error.message);
    });
  }

  send(audio: Buffer): void {
    this.waiting.push(audio);
    this.waitingBytes += audio.length;
    if (this.waitingBytes < this.messageBytes()) return;
    if (this.socket.readyState === WebSocket.OPEN && this.socket.bufferedAmount < mostWaiting) {
      this.socket.send(this.waiting.length === 1 ? audio : Buffer.concat(this.waiting));
      this.waiting = [];
      this.waitingBytes = 0;
    }
    while (this.waitingBytes > mostWaiting) this.waitingBytes -= this.waiting.shift()?.length ?? 0;
  }

  close(): void {
    this.closed = true;
    this.socket.close();
  }
}
