/** Standard Webhooks with Web Crypto, which is available in Node, Bun, Deno, workers and browsers. */
import { eventTypes } from './generated/event-types.gen.js';
import type { Event } from './generated/types.gen.js';

export { eventTypes };

/** An event of a type that this version of the SDK does not know. `event_type` is the type that was sent. */
export interface UnknownEvent {
  readonly type: 'unknown';
  readonly event_type: string;
  readonly id: string;
  readonly data: unknown;
  readonly [field: string]: unknown;
}

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
    for (const signature of signatures.split(' ')) {
      const bytes = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : undefined;
      // `verify` of Web Crypto compares in constant time.
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return parseEvent(body);
    }
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
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const event = eventOf(attempt(() => JSON.parse(text) as unknown));
  if (!event) throw new WebhookError('body_malformed');
  return event;
}

/** Undefined if the value is not an event. */
export function eventOf(value: unknown): AnyEvent | undefined {
  const { type, id, data } = (value ?? {}) as Partial<Record<string, unknown>>;
  if (typeof type !== 'string' || typeof id !== 'string' || data === undefined) return undefined;
  const isKnown = (eventTypes as readonly string[]).includes(type);
  return isKnown ? (value as Event) : { ...(value as object), type: 'unknown', event_type: type, id, data };
}

const signedBytes = (id: string, timestamp: string, body: string | Uint8Array): Promise<ArrayBuffer> =>
  new Blob([`${id}.${timestamp}.`, typeof body === 'string' ? body : new Uint8Array(body)]).arrayBuffer();

async function importKey(secret: string): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes?.length) throw new TypeError('a secret is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']);
}

const bytesOf = (base64: string): Uint8Array<ArrayBuffer> | undefined =>
  attempt(() => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));

/** The result, or undefined if there was an exception. */
function attempt<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch {
    return undefined;
  }
}
