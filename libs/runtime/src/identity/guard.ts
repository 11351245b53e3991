import type { Http2Session } from 'node:http2';
import { forbidden, unauthorized } from '@parley/errors';
import type { Caller } from '../grpc/call-context';
import type { Access } from './access';
import { serviceOfNames } from './certificates';
import { SERVICE_CALLER, serviceCaller, type CallerVerifier } from './signed-callers';

/**
 * The verified caller of a request that this peer sent.
 * @param text the caller as received; undefined for none
 * @throws AppError 403 for a peer that may not call the method; 401 without a caller, and for a kind of caller that the method does not accept
 */
export function callerOf(
  { peers, callers }: Access,
  peer: string | undefined,
  text: string | undefined,
  verifier: CallerVerifier,
): Caller {
  if (peer === undefined || !peers.includes(peer)) throw forbidden();
  if (text === undefined || text === '') throw unauthorized();
  const isService = text === SERVICE_CALLER;
  if (callers !== 'either' && isService !== (callers === 'service')) throw unauthorized();
  return isService ? serviceCaller : verifier.callerOf(text);
}

/** The parts of the library's server call that are used here; `call.stream` is missing in its types. */
interface ServerCall {
  getAuthContext(): { sslPeerCertificate?: { subjectaltname?: string } };
  readonly call?: { readonly stream?: { readonly session?: Http2Session } };
}

/** Cache by connection, because parsing a peer's certificate takes 40 microseconds, a tenth of the cost of a request. */
const peers = new WeakMap<Http2Session, string | undefined>();

/** The service at the other end of a call's connection; undefined if its certificate contains none. */
export function peerOf(call: unknown): string | undefined {
  const { call: inner } = call as ServerCall;
  const session = inner?.stream?.session;
  if (session === undefined) return read(call as ServerCall);
  if (!peers.has(session)) peers.set(session, read(call as ServerCall));
  return peers.get(session);
}

const read = (call: ServerCall): string | undefined =>
  serviceOfNames(call.getAuthContext().sslPeerCertificate?.subjectaltname);
