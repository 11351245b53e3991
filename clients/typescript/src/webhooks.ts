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
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !timestamp || !signatures) throw new WebhookError('header_missing');
  if (!/^\d+$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('timestamp_out_of_tolerance');
  const signed = signedBytes(id, timestamp, body);
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret, 'verify');
    for (const signature of signatures.split(' ')) {
      const [version, value = ''] = signature.split(',');
      const given = version === 'v1' ? bytesOf(value) : undefined;
      // `verify` of Web Crypto compares in constant time.
      if (given && (await crypto.subtle.verify('HMAC', key, given, signed))) return parseEvent(body);
    }
  }
  throw new WebhookError('signature_mismatch');
}

/** Returns the value of the header `webhook-signature`. */
export async function sign(id: string, timestamp: string, body: string, secret: string): Promise<string> {
  const made = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), signedBytes(id, timestamp, body));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(made)))}`;
}

/** @throws WebhookError */
export function parseEvent(body: string | Uint8Array): AnyEvent {
  let value: unknown;
  try {
    value = JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body));
  } catch {
    throw new WebhookError('body_malformed');
  }
  if (!isEvent(value)) throw new WebhookError('body_malformed');
  return isKnown(value) ? value : { ...value, type: 'unknown', event_type: value.type };
}

type Envelope = { type: string; id: string; data: unknown };

function isEvent(value: unknown): value is Envelope {
  return (
    typeof value === 'object' &&
    value !== null &&
    'type' in value &&
    typeof value.type === 'string' &&
    'id' in value &&
    typeof value.id === 'string' &&
    'data' in value
  );
}

function isKnown(value: { type: string }): value is Event {
  return (eventTypes as readonly string[]).includes(value.type);
}

function headerOf(headers: HeadersLike, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  return typeof found === 'string' ? found : found?.[0];
}

function signedBytes(id: string, timestamp: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const rest = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const all = new Uint8Array(head.length + rest.length);
  all.set(head);
  all.set(rest, head.length);
  return all;
}

function keyOf(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''));
  if (!bytes || bytes.length === 0) throw new TypeError('a secret is whsec_ and base64');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
