import { jsonObject, objectOf } from './json-message';

/** The start of a media stream, as the carrier sends it. */
export interface TwilioStart {
  readonly streamSid: string;
  readonly callSid: string;
  readonly accountSid: string;
  /** What the `<Parameter>`s of the stream's TwiML gave. */
  readonly customParameters: Readonly<Record<string, string>>;
}

/** What a carrier sends on a media stream, in the fields that a server needs. `other` is known and means nothing here. */
export type CarrierMessage =
  | { readonly event: 'start'; readonly start: TwilioStart }
  | { readonly event: 'media'; readonly payload: Buffer }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'dtmf'; readonly digit: string }
  | { readonly event: 'stop' }
  | { readonly event: 'other' };

const encoding = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 } as const;

/**
 * Reads a message of Twilio's media-stream protocol. Returns undefined for what is malformed or unknown: a carrier may send messages that it
 * did not send before, and none of them ends a call.
 */
export function readCarrierMessage(text: string): CarrierMessage | undefined {
  const message = jsonObject(text);
  switch (message?.['event']) {
    case 'connected':
      return { event: 'other' };
    case 'start':
      return startOf(message);
    case 'media': {
      const media = objectOf(message['media']);
      // Only what the caller says is sound for the agent; a stream of both tracks repeats the agent's own.
      if (media?.['track'] === 'outbound') return { event: 'other' };
      const payload = media?.['payload'];
      if (typeof payload !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(payload)) return undefined;
      return { event: 'media', payload: Buffer.from(payload, 'base64') };
    }
    case 'mark': {
      const name = objectOf(message['mark'])?.['name'];
      return typeof name === 'string' ? { event: 'mark', name } : undefined;
    }
    case 'dtmf': {
      const digit = objectOf(message['dtmf'])?.['digit'];
      return typeof digit === 'string' && /^[0-9*#]$/.test(digit) ? { event: 'dtmf', digit } : undefined;
    }
    case 'stop':
      return { event: 'stop' };
    default:
      return undefined;
  }
}

function startOf(message: Record<string, unknown>): CarrierMessage | undefined {
  const start = objectOf(message['start']);
  const format = objectOf(start?.['mediaFormat']);
  const streamSid = start?.['streamSid'] ?? message['streamSid'];
  const { callSid, accountSid } = start ?? {};
  if (typeof streamSid !== 'string' || typeof callSid !== 'string' || typeof accountSid !== 'string') return undefined;
  if (Object.entries(encoding).some(([field, value]) => format?.[field] !== value)) return undefined;
  const given = objectOf(start?.['customParameters']) ?? {};
  const customParameters = Object.fromEntries(
    Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
  return { event: 'start', start: { streamSid, callSid, accountSid, customParameters } };
}
