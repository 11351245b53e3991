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

/** What travels beside a request. */
export interface Particulars {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** Text of the caller. */
  readonly caller: string | undefined;
}

/** To be asked where the call is made: the span that is active there is its parent. */
export function particularsOf({ requestId, traceparent, caller }: OutgoingContext): Particulars {
  const parent = activeTracing()?.currentTraceparent() ?? traceparent;
  return {
    requestId: PRINTABLE.test(requestId) ? requestId : randomUUID(),
    traceparent: parent !== undefined && isTraceparent(parent) ? parent : undefined,
    caller: caller && callerText(caller),
  };
}

export function metadataOf({ requestId, traceparent, caller }: Particulars): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, requestId);
  if (traceparent !== undefined) metadata.set(TRACEPARENT, traceparent);
  if (caller !== undefined) metadata.set(CALLER, caller);
  return metadata;
}

export const requestIdOf = (metadata: Metadata): string => readRequestId(metadata.get(REQUEST_ID)[0]);
export const traceparentOf = (metadata: Metadata): string | undefined => readTraceparent(metadata.get(TRACEPARENT)[0]);
export const callerOf = (metadata: Metadata): Caller | undefined => readCaller(metadata.get(CALLER)[0]);

type Value = string | Buffer | undefined;

export const readRequestId = (value: Value): string =>
  typeof value === 'string' && PRINTABLE.test(value) ? value : randomUUID();

export const readTraceparent = (value: Value): string | undefined => (isTraceparent(value) ? value : undefined);

export function readCaller(text: Value): Caller | undefined {
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
