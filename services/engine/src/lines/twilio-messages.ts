import { jsonObject, objectOf } from './json-message';

/** The start message of a media stream. */
export interface TwilioStart {
  readonly streamSid: string;
  readonly callSid: string;
  readonly accountSid: string;
  /** The `<Parameter>`s of the stream's TwiML. */
  readonly customParameters: Readonly<Record<string, string>>;
}

/** The messages of a carrier on a media stream, reduced to the fields used here. `other` is a known message that is ignored. */
export type CarrierMessage =
  | { readonly event: 'start'; readonly start: TwilioStart }
  | { readonly event: 'media'; readonly payload: Buffer }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'dtmf'; readonly digit: string }
  | { readonly event: 'stop' }
  | { readonly event: 'other' };

const encoding = { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 } as const;

/**
 * A media message of the caller as Twilio and the carriers with its protocol write it. 50 of them arrive per second and call, and this costs half as much as
 * parsing them as JSON. A message that is written differently has the same meaning and is parsed as JSON.
 */
const usualMedia =
  /^\{"event":"media","sequenceNumber":"\d+",(?:"streamSid":"\w*",)?"media":\{"track":"inbound","chunk":"\d+","timestamp":"\d+","payload":"([A-Za-z0-9+/]*={0,2})"\}(?:,"streamSid":"\w*")?\}$/;

/**
 * Parses a message of Twilio's media-stream protocol. @returns undefined if malformed or unknown: carriers may add messages, and none of them may end a call
 */
export function readCarrierMessage(text: string): CarrierMessage | undefined {
  const payload = usualMedia.exec(text)?.[1];
  if (payload !== undefined) return { event: 'media', payload: Buffer.from(payload, 'base64') };
  const message = jsonObject(text);
  switch (message?.['event']) {
    case 'connected':
      return { event: 'other' };
    case 'start':
      return startOf(message);
    case 'media': {
      const media = objectOf(message['media']);
      // Only the caller's track is used; a stream of both tracks also contains the agent's audio.
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
