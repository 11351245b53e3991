import type { RawData, WebSocket } from 'ws';

/** The messages of a carrier on a media stream, reduced to the fields used here: connected, start, media, mark, dtmf and stop. */
interface CarrierMessage {
  readonly event: string;
  readonly streamSid?: string;
  readonly start?: { readonly callSid: string };
  readonly media?: { readonly payload: string };
  readonly mark?: { readonly name: string };
  readonly dtmf?: { readonly digit: string };
}

export interface LineListener {
  started(callSid: string): void;
  /** Audio of the caller: mu-law, 8 kHz. */
  heard(audio: Buffer): void;
  /** Everything sent before this mark was played or cleared. */
  marked(name: string): void;
  pressed(digit: string): void;
  /** The stream has ended, by a stop message or because the connection was closed. Called once. */
  stopped(): void;
}

/** The server side of one Twilio media stream: JSON text with audio in base64. Malformed or unknown messages are ignored and counted. */
export class TwilioLine {
  ignored = 0;
  private streamSid = '';
  private over = false;
  private readonly socket: WebSocket;
  private readonly listener: LineListener;

  constructor(socket: WebSocket, listener: LineListener) {
    this.socket = socket;
    this.listener = listener;
    socket.on('message', (data) => this.take(data));
    socket.on('close', () => this.stop());
    socket.on('error', () => socket.terminate());
  }

  media(audio: Buffer): void {
    this.send('media', `,"media":{"payload":"${audio.toString('base64')}"}`);
  }

  mark(name: string): void {
    this.send('mark', `,"mark":{"name":"${name}"}`);
  }

  /** Drops the carrier's queue; its marks return immediately. */
  clear(): void {
    this.send('clear', '');
  }

  private send(event: string, rest: string): void {
    if (!this.over) this.socket.send(`{"event":"${event}","streamSid":"${this.streamSid}"${rest}}`);
  }

  private take(data: RawData): void {
    const message = parsed(data);
    if (message?.event === 'media' && message.media !== undefined)
      this.listener.heard(Buffer.from(message.media.payload, 'base64'));
    else if (message?.event === 'mark' && message.mark !== undefined) this.listener.marked(message.mark.name);
    else if (message?.event === 'dtmf' && message.dtmf !== undefined) this.listener.pressed(message.dtmf.digit);
    else if (message?.event === 'start' && message.start !== undefined) {
      this.streamSid = message.streamSid ?? '';
      this.listener.started(message.start.callSid);
    } else if (message?.event === 'stop') this.stop();
    else if (message?.event !== 'connected') this.ignored += 1;
  }

  private stop(): void {
    if (this.over) return;
    this.over = true;
    this.socket.close();
    this.listener.stopped();
  }
}

function parsed(data: RawData): CarrierMessage | undefined {
  try {
    return JSON.parse((data as Buffer).toString()) as CarrierMessage;
  } catch {
    return undefined;
  }
}
