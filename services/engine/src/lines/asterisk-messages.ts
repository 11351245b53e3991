import { jsonObject } from './json-message';
import type { SampleRate } from './line';

/** The audio format of an Asterisk websocket channel. */
export interface AsteriskStart {
  readonly format: 'ulaw' | 'slin16';
  readonly sampleRate: SampleRate;
  /** Bytes of a 20 ms frame; Asterisk drops an incomplete frame at the end of a message. */
  readonly frameBytes: number;
}

/** The text messages of Asterisk on a media websocket, reduced to the fields used here. `other` is a known message that is ignored. */
export type AsteriskMessage =
  | { readonly event: 'start'; readonly start: AsteriskStart }
  | { readonly event: 'mark'; readonly id: string }
  | { readonly event: 'dtmf'; readonly digit: string }
  | { readonly event: 'full' | 'room' | 'other' };

const formats: Readonly<Record<string, AsteriskStart>> = {
  ulaw: { format: 'ulaw', sampleRate: 8_000, frameBytes: 160 },
  slin16: { format: 'slin16', sampleRate: 16_000, frameBytes: 640 },
};

/** Parses a control message of chan_websocket in its JSON form. Undefined if malformed or unknown, which does not end the call. */
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
