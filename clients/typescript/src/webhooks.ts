/** Standard Webhooks with Web Crypto, which is available in Node, Bun, Deno, workers and browsers. */
import { eventTypes } from './generated/event-types.gen.js';
import type { Event } from './generated/types.gen.js';

export { eventTypes };

/** An event of a type that this version of the SDK does not know. `event_type` is the type that was sent. */
export type UnknownEvent = Omit<Event, 'type' | 'data'> & { type: 'unknown'; event_type: string; data: unknown };

export type AnyEvent = Event | UnknownEvent;

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
  readonly code: 'header_missing' | 'timestamp_out_of_tolerance' | 'signature_mismatch' | 'body_malformed';

  constructor(code: WebhookError['code']) {
    super(`the webhook is not accepted: ${code}`);
    this.code = code;
  }
}

type HeadersLike = Headers | Readonly<Record<string, string | string[] | undefined>>;

export interface UnwrapOptions {
  /** The maximum difference between the timestamp and the clock. Default: 300 seconds. */
  readonly toleranceSeconds?: number;
  /** The current time in milliseconds since 1970. Default: that of the clock. */
  readonly now?: number;
}

/**
 * Verifies a webhook and returns its event.
 * @param body as it arrived, before any parsing
 * @param secrets `whsec_…`; during a rotation both secrets
 * @throws WebhookError
 */
export async function unwrap(
  body: string | Uint8Array,
  headers: HeadersLike,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, now = Date.now() }: UnwrapOptions = {},
): Promise<AnyEvent> {
  const entries = headers instanceof Headers ? [...headers] : Object.entries(headers);
  const given = new Map(entries.map(([name, value]) => [name.toLowerCase(), [value].flat()[0]]));
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => given.get(`webhook-${name}`));
  if (!id || !timestamp || !signatures) throw new WebhookError('header_missing');
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('timestamp_out_of_tolerance');
  const signed = await signedBytes(id, timestamp, body);
  for (const secret of [secrets].flat()) {
    const key = await importKey(secret);
    // `verify` of Web Crypto compares in constant time.
    for (const [, signature = ''] of signatures.matchAll(/(?<!\S)v1,([A-Za-z0-9+/]{43}=?)(?!\S)/g))
      if (await crypto.subtle.verify('HMAC', key, bytesOf(signature), signed)) return parseEvent(body);
  }
  throw new WebhookError('signature_mismatch');
}

/** Returns the value of the header `webhook-signature`. */
export async function sign(id: string, timestamp: string, body: string, secret: string): Promise<string> {
  const signed = await signedBytes(id, timestamp, body);
  const signature = await crypto.subtle.sign('HMAC', await importKey(secret), signed);
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(signature)))}`;
}

/** @throws WebhookError */
export function parseEvent(body: string | Uint8Array): AnyEvent {
  let event: AnyEvent | undefined;
  try {
    event = eventOf(JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)));
  } catch {
    // Not JSON.
  }
  if (!event) throw new WebhookError('body_malformed');
  return event;
}

/** Undefined if the value is not an event. */
export function eventOf(value: unknown): AnyEvent | undefined {
  const { type, id, data } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof id !== 'string' || data === undefined) return undefined;
  const isKnown = (eventTypes as readonly string[]).includes(type);
  return isKnown ? (value as Event) : { ...(value as Event), type: 'unknown', event_type: type };
}

const signedBytes = (id: string, timestamp: string, body: string | Uint8Array): Promise<ArrayBuffer> =>
  new Blob([`${id}.${timestamp}.`, typeof body === 'string' ? body : new Uint8Array(body)]).arrayBuffer();

async function importKey(secret: string): Promise<CryptoKey> {
  if (!/^(whsec_)?[A-Za-z0-9+/]+=*\s*$/.test(secret)) throw new TypeError('a secret is whsec_ and base64');
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
