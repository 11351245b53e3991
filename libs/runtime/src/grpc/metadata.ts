import { randomUUID } from 'node:crypto';
import { Metadata } from '@grpc/grpc-js';
import { activeTracing } from '../tracing/tracing';
import { isTraceparent } from '../tracing/traceparent';
import type { CallerSigner } from '../identity/signed-callers';
import { clientOrigin, type ClientOrigin, type OutgoingContext } from './call-context';

const REQUEST_ID = 'x-request-id';
const CALLER = 'x-parley-caller';
/** Binary, because a client may send any characters as its user agent. */
const CLIENT = 'x-parley-client-bin';
const TRACEPARENT = 'traceparent';

const PRINTABLE = /^[\x20-\x7e]{1,128}$/;

/** The metadata of a request. */
export interface CallMetadata {
  readonly requestId: string;
  readonly traceparent: string | undefined;
  /** The signed caller, as text. */
  readonly caller: string | undefined;
  readonly client: ClientOrigin | undefined;
}

/** The metadata for an outgoing call. Must be called where the RPC is made, because the active span there becomes its parent. */
export function callMetadata(
  { requestId, traceparent, caller, client }: OutgoingContext,
  callers: CallerSigner,
): CallMetadata {
  const parent = activeTracing()?.currentTraceparent() ?? traceparent;
  return {
    requestId: PRINTABLE.test(requestId) ? requestId : randomUUID(),
    traceparent: parent !== undefined && isTraceparent(parent) ? parent : undefined,
    caller: caller && callers.textOf(caller),
    client,
  };
}

export function metadataOf({ requestId, traceparent, caller, client }: CallMetadata): Metadata {
  const metadata = new Metadata();
  metadata.set(REQUEST_ID, requestId);
  if (traceparent !== undefined) metadata.set(TRACEPARENT, traceparent);
  if (caller !== undefined) metadata.set(CALLER, caller);
  if (client !== undefined) metadata.set(CLIENT, Buffer.from(JSON.stringify([client.address, client.userAgent])));
  return metadata;
}

export const requestIdOf = (metadata: Metadata): string => readRequestId(metadata.get(REQUEST_ID)[0]);
export const traceparentOf = (metadata: Metadata): string | undefined => readTraceparent(metadata.get(TRACEPARENT)[0]);

export function callerTextOf(metadata: Metadata): string | undefined {
  const text = metadata.get(CALLER)[0];
  return typeof text === 'string' ? text : undefined;
}

/** Undefined if the calling service sent none. */
export function clientOf(metadata: Metadata): ClientOrigin | undefined {
  const bytes = metadata.get(CLIENT)[0];
  if (!Buffer.isBuffer(bytes)) return undefined;
  const [address, userAgent] = JSON.parse(bytes.toString()) as [string, string];
  return clientOrigin(address, userAgent);
}

type Value = string | Buffer | undefined;

export const readRequestId = (value: Value): string =>
  typeof value === 'string' && PRINTABLE.test(value) ? value : randomUUID();

export const readTraceparent = (value: Value): string | undefined => (isTraceparent(value) ? value : undefined);
