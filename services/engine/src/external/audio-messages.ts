import { jsonObject, objectOf } from '../lines/json-message';

/** Messages from the customer's server. Unknown fields are ignored. */
export type ServerMessage =
  | { readonly event: 'media'; readonly payload: Buffer }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'dtmf'; readonly digits: string }
  | { readonly event: 'clear' }
  | { readonly event: 'hang_up' };

/** Maximum length of a mark's name in characters. */
export const longestMark = 128;

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const keys = /^[0-9*#]{1,32}$/;

/** The parsed message; undefined if it is unknown or malformed. */
export function readServerMessage(text: string): ServerMessage | undefined {
  const message = jsonObject(text);
  switch (message?.['event']) {
    case 'media': {
      const payload = objectOf(message['media'])?.['payload'];
      const isBase64 = typeof payload === 'string' && payload !== '' && base64.test(payload);
      return isBase64 ? { event: 'media', payload: Buffer.from(payload, 'base64') } : undefined;
    }
    case 'mark': {
      const name = objectOf(message['mark'])?.['name'];
      const fits = typeof name === 'string' && name !== '' && name.length <= longestMark;
      return fits ? { event: 'mark', name } : undefined;
    }
    case 'dtmf': {
      const { digits, digit = digits } = objectOf(message['dtmf']) ?? {};
      return typeof digit === 'string' && keys.test(digit) ? { event: 'dtmf', digits: digit } : undefined;
    }
    case 'clear':
      return { event: 'clear' };
    case 'hang_up':
      return { event: 'hang_up' };
    default:
      return undefined;
  }
}

/** The fields of the call in the `start` message of the stream. */
export interface StreamSubject {
  readonly callId: string;
  readonly organizationId: string;
  readonly agentId: string;
  readonly direction: string;
  /** Empty in a test call. */
  readonly from: string;
  readonly to: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 } as const;

/**
 * Creates the messages of one connection of a media stream in the order of the call: numbered JSON text in the format of carriers' media streams, so that a
 * server written for those can parse it.
 */
export class StreamWriter {
  private sequence = 0;
  private chunk = 0;
  private sentMs = 0;

  constructor(
    private readonly subject: StreamSubject,
    /** The number of the connection in the call, from 1. */
    private readonly connection: number,
  ) {}

  /** The first two messages of the connection. */
  start(): string[] {
    const { callId, organizationId, agentId, direction, from, to, variables } = this.subject;
    const texts = Object.entries(variables).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    const customParameters = {
      ...Object.fromEntries(texts),
      ...{ call_id: callId, agent_id: agentId, direction, from, to, connection: String(this.connection) },
    };
    const about = { accountSid: organizationId, callSid: callId, streamSid: this.streamSid, tracks: ['inbound'] };
    return [
      JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }),
      this.numbered('start', { start: { ...about, mediaFormat, customParameters } }),
    ];
  }

  /** @param muLaw 8 bytes per millisecond */
  media(muLaw: Buffer): string {
    this.chunk += 1;
    const timestamp = String(Math.round(this.sentMs));
    this.sentMs += muLaw.length / 8;
    const media = { track: 'inbound', chunk: String(this.chunk), timestamp, payload: muLaw.toString('base64') };
    return this.numbered('media', { media });
  }

  mark(name: string): string {
    return this.numbered('mark', { mark: { name } });
  }

  dtmf(digit: string): string {
    return this.numbered('dtmf', { dtmf: { track: 'inbound_track', digit } });
  }

  stop(): string {
    const { callId, organizationId } = this.subject;
    return this.numbered('stop', { stop: { accountSid: organizationId, callSid: callId } });
  }

  private get streamSid(): string {
    return `${this.subject.callId}_${this.connection}`;
  }

  private numbered(event: string, content: object): string {
    this.sequence += 1;
    return JSON.stringify({ event, sequenceNumber: String(this.sequence), ...content, streamSid: this.streamSid });
  }
}
