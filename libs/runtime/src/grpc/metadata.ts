import { randomUUID } from 'node:crypto';
import { Metadata } from '@grpc/grpc-js';
import { activeTracing } from '../tracing/tracing';
import { isTraceparent } from '../tracing/traceparent';
import type { Caller, OutgoingContext } from './call-context';

const REQUEST_ID = 'x-request-id';
const CALLER = 'x-parley-caller';
const TRACEPARENT = 'traceparent';

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** Serialized once for each Caller object: it does not change while it lives. */
const serialized = new WeakMap<Caller, string>();

/** The last callers seen, by their text: a customer's requests come in rows, and one parse serves them all. */
const parsed = new Map<string, Caller>();
const PARSED_LIMIT = 500;

export function outgoingMetadata(context: OutgoingContext): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, PRINTABLE.test(context.requestId) ? context.requestId : randomUUID());
  const traceparent = activeTracing()?.currentTraceparent() ?? context.traceparent;
  if (traceparent !== undefined && isTraceparent(traceparent)) metadata.set(TRACEPARENT, traceparent);
  if (context.caller !== undefined) metadata.set(CALLER, callerText(context.caller));
  return metadata;
}

export function requestIdOf(metadata: Metadata): string {
  const value = metadata.get(REQUEST_ID)[0];
  return typeof value === 'string' && PRINTABLE.test(value) ? value : randomUUID();
}

export function traceparentOf(metadata: Metadata): string | undefined {
  const value = metadata.get(TRACEPARENT)[0];
  return isTraceparent(value) ? value : undefined;
}

export function callerOf(metadata: Metadata): Caller | undefined {
  const text = metadata.get(CALLER)[0];
  if (typeof text !== 'string') return undefined;
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const caller = JSON.parse(text) as Caller;
  if (parsed.size >= PARSED_LIMIT) parsed.clear();
  // Frozen, because several requests hold it at once.
  Object.freeze(caller.scopes);
  parsed.set(text, Object.freeze(caller));
  serialized.set(caller, text);
  return caller;
}

function callerText(caller: Caller): string {
  let text = serialized.get(caller);
  if (text === undefined) {
    const { keyId, organizationId, kind, scopes } = caller;
    // Metadata is ASCII; JSON may carry anything escaped.
    text = JSON.stringify({ keyId, organizationId, kind, scopes }).replace(
      /[^\x20-\x7e]/g,
      (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    serialized.set(caller, text);
  }
  return text;
}
