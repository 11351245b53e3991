import { verify, X509Certificate, type KeyObject } from 'node:crypto';
import { internal, unauthorized } from '@parley/errors';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../grpc/call-context';
import { leadsTo, serviceOfNames } from './certificates';
import { digestFor, type ServiceIdentity } from './service-identity';

/** The only service that verifies clients with auth, so only its signature is accepted. */
const SIGNER = 'gateway';

const noScopes: string[] = [];
Object.freeze(noScopes);

/** The caller of requests without a client: the calling service itself, as identified by its certificate. */
export const serviceCaller: Caller = Object.freeze({
  keyId: '',
  organizationId: '',
  kind: 'service',
  scopes: noScopes,
});

/** The serialized form of `serviceCaller`. */
export const SERVICE_CALLER = 'service';

/** How long a signature is valid, and how long it is reused. The difference is the maximum deadline of a request. */
const LIFETIME_MS = 45_000;
const USE_MS = 15_000;

/** Maximum clock difference between two machines. */
const SKEW_MS = 10_000;

/** Maximum of callers cached by signer and by verifier; each needs 2 KB. */
const CACHED_CALLERS = 5_000;

interface Claims {
  readonly caller: Caller;
  readonly issued_at: number;
  readonly expires_at: number;
}

/** The prefix separates domains: a signature for a caller cannot be used for anything else that is signed with this key. */
const signedBytes = (payload: string): Buffer => Buffer.from(`parley caller\n${payload}`);

/** A caller with the signature and certificate of this service, as ASCII text. */
export function signCaller(
  identity: Pick<ServiceIdentity, 'sign' | 'chain'>,
  { keyId, organizationId, kind, scopes, deployment, sessionOf, expiresAtMs }: Caller,
  nowMs: number = Date.now(),
): string {
  const claims: Claims = {
    caller: {
      keyId,
      organizationId,
      kind,
      scopes,
      ...(deployment !== undefined && { deployment }),
      ...(sessionOf !== undefined && { sessionOf }),
      ...(expiresAtMs !== undefined && { expiresAtMs }),
    },
    issued_at: nowMs,
    expires_at: nowMs + LIFETIME_MS,
  };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const signature = identity.sign(signedBytes(payload)).toString('base64url');
  return [payload, signature, ...identity.chain.map(({ raw }) => raw.toString('base64url'))].join('.');
}

/** The original text of each received caller, so that it can be passed on with the gateway's signature. */
const received = new WeakMap<Caller, string>();

/** Serializes callers for outgoing requests: received ones are passed on unchanged, others are signed. */
export class CallerSigner {
  private readonly signed = new WeakMap<Caller, { readonly text: string; readonly sinceMs: number }>();

  constructor(private readonly identity: ServiceIdentity) {}

  /** @throws Error if the caller was created by another service than the gateway */
  textOf(caller: Caller): string {
    if (caller.kind === 'service') return SERVICE_CALLER;
    const text = received.get(caller);
    if (text !== undefined) return text;
    const { identity } = this;
    if (identity.service !== SIGNER)
      throw new Error(`${identity.service} may only forward signed callers, not sign them`);
    const nowMs = Date.now();
    const known = this.signed.get(caller);
    // A signature from the future is not reused: the clock was set back, and other services would refuse it until the clock is there again.
    if (known !== undefined && nowMs >= known.sinceMs && nowMs < known.sinceMs + USE_MS) return known.text;
    const made = { text: signCaller(identity, caller, nowMs), sinceMs: nowMs };
    this.signed.set(caller, made);
    return made.text;
  }
}

/** A certificate whose signatures are accepted. */
interface Signer {
  readonly publicKey: KeyObject;
  readonly untilMs: number;
}

interface Verified {
  readonly caller: Caller;
  readonly untilMs: number;
}

/** The client's key is not the reason, so the client may try again. */
const anotherTime = (): Error =>
  internal(new Error('a caller was signed too long ago or too early: the clocks of services differ'), 503);

/** Verifies and parses callers signed by the gateway. */
export class CallerVerifier {
  private readonly verified = new LRUCache<string, Verified>({ max: CACHED_CALLERS });
  private readonly signers = new LRUCache<string, Signer>({ max: 100 });

  constructor(private readonly identity: Pick<ServiceIdentity, 'authorities' | 'onReload'>) {
    // The cache is cleared because an authority may have been removed.
    identity.onReload(() => {
      this.signers.clear();
      this.verified.clear();
    });
  }

  /**
   * @throws AppError UnauthorizedError for a text that is no caller or was not signed with a certificate of the gateway; internal_error 503 outside of the
   * time for which it was signed
   */
  callerOf(text: string, nowMs: number = Date.now()): Caller {
    const known = this.verified.get(text) ?? this.verify(text, nowMs);
    if (nowMs > known.untilMs) throw anotherTime();
    return known.caller;
  }

  private verify(text: string, nowMs: number): Verified {
    const [payload = '', signature = '', ...certificates] = text.split('.');
    const signer = this.signerOf(certificates, nowMs);
    const { publicKey } = signer;
    const data = signedBytes(payload);
    if (!verify(digestFor(publicKey), data, publicKey, Buffer.from(signature, 'base64url'))) throw unauthorized();
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
    const { caller, issued_at, expires_at } = claims;
    const isTooLong = expires_at - issued_at > LIFETIME_MS;
    if (isTooLong || caller.kind === 'service') throw unauthorized();
    if (issued_at > nowMs + SKEW_MS) throw anotherTime();
    // Frozen, because several requests share the object.
    Object.freeze(caller.scopes);
    received.set(Object.freeze(caller), text);
    const verified = { caller, untilMs: Math.min(expires_at + SKEW_MS, signer.untilMs) };
    this.verified.set(text, verified);
    return verified;
  }

  private signerOf(encoded: readonly string[], nowMs: number): Signer {
    const name = encoded.join('.');
    const known = this.signers.get(name);
    if (known !== undefined && nowMs <= known.untilMs) return known;
    const chain = chainOf(encoded);
    const [own] = chain;
    if (own === undefined || serviceOfNames(own.subjectAltName) !== SIGNER) throw unauthorized();
    if (!leadsTo(chain, this.identity.authorities, nowMs)) throw unauthorized();
    const signer = { publicKey: own.publicKey, untilMs: own.validToDate.getTime() };
    this.signers.set(name, signer);
    return signer;
  }
}

function chainOf(encoded: readonly string[]): X509Certificate[] {
  try {
    return encoded.slice(0, 5).map((text) => new X509Certificate(Buffer.from(text, 'base64url')));
  } catch {
    throw unauthorized();
  }
}
