import { jsonObject } from './json-message';
import type { SampleRate } from './line';

/** How a websocket channel of Asterisk carries its sound. */
export interface AsteriskStart {
  readonly format: 'ulaw' | 'slin16';
  readonly sampleRate: SampleRate;
  /** Of 20 ms; Asterisk drops what does not fill one at the end of a message. */
  readonly frameBytes: number;
}

/** What Asterisk sends as text on a media websocket, in the fields that a server needs. `other` is known and means nothing here. */
export type AsteriskMessage =
  | { readonly event: 'start'; readonly start: AsteriskStart }
  | { readonly event: 'mark'; readonly id: string }
  | { readonly event: 'dtmf'; readonly digit: string }
  | { readonly event: 'full' | 'room' | 'other' };

const formats: Readonly<Record<string, AsteriskStart>> = {
  ulaw: { format: 'ulaw', sampleRate: 8_000, frameBytes: 160 },
  slin16: { format: 'slin16', sampleRate: 16_000, frameBytes: 640 },
};

/** Reads a control message of chan_websocket in its JSON form. Undefined for what is malformed or unknown, which ends no call. */
export function readAsteriskMessage(text: string): AsteriskMessage | undefined {
  const message = jsonObject(text);
  switch (message?.['event']) {
    case 'MEDIA_START': {
      const { format, optimal_frame_size: size, ptime } = message;
      const start = typeof format === 'string' && Object.hasOwn(formats, format) ? formats[format] : undefined;
      const usual = size === start?.frameBytes && (ptime === undefined || ptime === 20);
      return start !== undefined && usual ? { event: 'start', start } : undefined;
    }
    case 'MEDIA_MARK_PROCESSED': {
      const id = message['correlation_id'];
      return typeof id === 'string' ? { event: 'mark', id } : undefined;
    }
    case 'DTMF_END': {
      const digit = message['digit'];
      return typeof digit === 'string' && /^[0-9*#]$/.test(digit) ? { event: 'dtmf', digit } : undefined;
    }
    case 'MEDIA_XOFF':
      return { event: 'full' };
    case 'MEDIA_XON':
      return { event: 'room' };
    case 'STATUS':
    case 'QUEUE_DRAINED':
    case 'MEDIA_BUFFERING_COMPLETED':
      return { event: 'other' };
    default:
      return undefined;
  }
}
