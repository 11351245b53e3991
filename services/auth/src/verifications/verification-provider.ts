import { AppError, conflict } from '@parley/errors';
import { signatureOf, signingKeyOf, type OutboundAnswer, type OutboundClient } from '@parley/service';
import type { VerificationKind, VerificationMediaType } from '@parley/contract';
import { stateOf, type ProviderState } from './verification.rules';

/** The operator's provider of identity checks (docs/verification.md). */
export interface ProviderSettings {
  readonly url: string;
  /** Each signs; the first one is not special. */
  readonly secrets: readonly string[];
}

export interface VerificationProvider {
  /** Asks for the status. The provider creates a verification that it does not know. @throws AppError kyc_provider_error */
  ask(verification: Asked): Promise<ProviderState>;
  /** Passes a document on. @throws AppError kyc_provider_error */
  send(verificationId: string, document: SentDocument): Promise<ProviderState>;
}

export interface Asked {
  readonly verificationId: string;
  readonly organizationId: string;
  readonly kind: VerificationKind;
}

export interface SentDocument {
  readonly n: number;
  readonly mediaType: VerificationMediaType;
  readonly sha256: string;
  readonly content: Buffer;
}

/** Timeouts are shorter than those of the gateway. */
const askTimeoutMs = 8_000;
export const sendTimeoutMs = 20_000;
const mostBytes = 64 * 1024;

/** Secrets separated by commas, each `whsec_` and the base64 of at least 24 bytes. @throws Error, without quoting a secret */
export function parseProviderSecrets(text: string): string[] {
  const secrets = text.split(',').map((secret) => secret.trim());
  for (const secret of secrets) {
    const [, key = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? [];
    if (Buffer.from(key, 'base64').length < 24)
      throw new Error('must be whsec_ and the base64 of at least 24 random bytes, or several separated by commas');
  }
  return secrets;
}

/** @throws AppError ConflictError if the operator has configured none */
export function configured(provider: VerificationProvider | undefined): VerificationProvider {
  if (provider === undefined) throw conflict('this installation has no provider of identity checks');
  return provider;
}

export function verificationProvider(
  { url, secrets }: ProviderSettings,
  outbound: Pick<OutboundClient, 'send'>,
): VerificationProvider {
  const base = url.replace(/\/+$/, '');
  const keys = secrets.map(signingKeyOf);
  const signed = (id: string, body: Buffer): Readonly<Record<string, string>> => {
    const timestamp = Math.floor(Date.now() / 1000);
    return {
      accept: 'application/json',
      'user-agent': 'Parley-Verifications/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(keys, id, timestamp, body),
    };
  };
  return {
    async ask({ verificationId, organizationId, kind }) {
      const asked = { verification_id: verificationId, organization_id: organizationId, kind };
      const body = Buffer.from(JSON.stringify(asked));
      const headers = { 'content-type': 'application/json', ...signed(`${verificationId}_${Date.now()}`, body) };
      const request = { method: 'POST', url: `${base}/verifications`, headers, body } as const;
      return answered(await outbound.send({ ...request, timeoutMs: askTimeoutMs, mostBytes }));
    },
    async send(verificationId, { n, mediaType, sha256, content }) {
      // The signature covers the id, and so which document it is.
      const headers = { 'content-type': mediaType, ...signed(`${verificationId}_${n}_${sha256}`, content) };
      const at = `${base}/verifications/${verificationId}/documents/${n}`;
      const request = { method: 'PUT', url: at, headers, body: content } as const;
      return answered(await outbound.send({ ...request, timeoutMs: sendTimeoutMs, mostBytes }));
    },
  };
}

/** @throws AppError kyc_provider_error. It contains no text of the provider. */
function answered({ status, error, truncated, body }: OutboundAnswer): ProviderState {
  const failed = (what: string): AppError =>
    new AppError('kyc_provider_error', `the provider of identity checks ${what}`, {
      fields: { provider_status: status ?? null },
    });
  if (error !== undefined || status === undefined)
    throw failed(`could not be reached: ${error ?? 'connection_failed'}`);
  if (status < 200 || status > 299) throw failed(`answered ${status}`);
  const state = truncated ? undefined : stateOf(parsed(body));
  if (state === undefined) throw failed('returned no valid status');
  return state;
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
