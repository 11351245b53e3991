import { carrierRoutes, carriers, limits, type CarrierName, type CarrierRouteName } from '@parley/contract';
import { AppError } from '@parley/errors';
import type { CarrierAnswer, CarrierWebhook } from '@parley/proto/telephony';
import { readBody, serviceCaller, type BodyAccount, type BodyBudget, type OutgoingContext } from '@parley/runtime';
import type { RequestHandler } from 'express';
import type { IncomingMessage } from 'node:http';
import type { AddressLimit } from '../auth';
import type { Clients } from '../clients';
import {
  allowOnly,
  exactRouter,
  type RequestContext,
  requestContextOf,
  identityEncoding,
  type PrefixRouters,
} from '../http';
import { parseForm } from './form';

type Receive = (clients: Clients, webhook: CarrierWebhook, context: OutgoingContext) => Promise<CarrierAnswer>;

/** The RPCs of the webhooks. Telephony has the carriers' tokens, so it determines which organization a webhook concerns. */
const receivers: Readonly<Record<CarrierRouteName, Receive>> = {
  receiveCarrierCall: ({ telephony }, webhook, context) => telephony.receiveCarrierCall(webhook, context),
  receiveCarrierCallStatus: ({ telephony }, webhook, context) => telephony.receiveCarrierCallStatus(webhook, context),
  receiveCarrierMessage: ({ telephony }, webhook, context) => telephony.receiveCarrierMessage(webhook, context),
  receiveCarrierReport: ({ telephony }, webhook, context) => telephony.receiveCarrierReport(webhook, context),
};

export interface CarrierParts {
  readonly clients: Clients;
  readonly limit: AddressLimit;
  readonly bodyBudget: BodyBudget;
  /** Scheme and authority with which carriers call this platform; undefined: no signature can be verified. */
  readonly publicUrl: string | undefined;
  /** The timeout for receiving the form. */
  readonly bodySeconds: number;
}

/**
 * The webhooks of carriers (docs/reference/workers.md). They need no key: the request is a signed form, and the response is the carrier's markup. A temporary
 * failure is 503 webhook_retry_requested, so that the carrier repeats the webhook; either nothing was stored, or the retry finds the same call.
 */
export function carrierRouters(parts: CarrierParts): PrefixRouters {
  const router = exactRouter();
  for (const name of Object.keys(receivers) as CarrierRouteName[]) {
    const { id, path, providers } = carrierRoutes[name];
    for (const provider of providers) {
      router
        .route(path.replace('{provider}', provider))
        .all(named(id), allowOnly(['POST']))
        .post(
          admitted(parts),
          requireSignature(provider),
          identityEncoding,
          receiveWebhook(parts, provider, receivers[name]),
        );
    }
  }
  return new Map([['/v1/carriers', router]]);
}

/** Names the route for log lines and metrics. */
const named =
  (id: string): RequestHandler =>
  (_request, response, next) => {
    requestContextOf(response).route = id;
    next();
  };

const admitted =
  ({ limit, bodyBudget }: CarrierParts): RequestHandler =>
  async (request, response, next) => {
    response.locals.account = retried(bodyBudget.open({ address: await limit.admit(request) }));
    next();
  };

function signatureOf({ headers }: IncomingMessage, provider: CarrierName): string {
  const value = headers[carriers[provider].signature.header.toLowerCase()];
  return typeof value === 'string' ? value : '';
}

/** Refuses a malformed signature without an account look-up. */
const requireSignature =
  (provider: CarrierName): RequestHandler =>
  (request, _response, next) => {
    if (!carriers[provider].signature.pattern.test(signatureOf(request, provider))) {
      throw new AppError('UnauthorizedError', "the carrier's signature is missing or does not match");
    }
    next();
  };

const receiveWebhook =
  (parts: CarrierParts, provider: CarrierName, receive: Receive): RequestHandler =>
  async (request, response) => {
    const exchange = requestContextOf(response);
    if (parts.publicUrl === undefined) throw retryable(new Error('PUBLIC_URL is not set'), exchange);
    const account = response.locals.account as BodyAccount;
    const terms = { limit: limits.carrierFormBytes, account, withinMs: parts.bodySeconds * 1_000 };
    const body = await readBody(request, response, terms);
    const form = parseForm(request.headers['content-type'], body);
    const url = publicUrlOf(request.originalUrl, parts.publicUrl);
    const webhook = { provider, url, form, signature: signatureOf(request, provider) };
    // The carrier has no key: telephony verifies the signature.
    const { requestId, traceparent, signal } = exchange;
    const context = { requestId, traceparent, signal, caller: serviceCaller };
    const { body: markup } = await receive(parts.clients, webhook, context).catch((error: unknown) => {
      throw retryable(error, exchange);
    });
    response.writeHead(200, {
      'Content-Type': 'text/xml; charset=utf-8',
      'Content-Length': Buffer.byteLength(markup),
      'Cache-Control': 'no-store',
      'X-Request-Id': exchange.requestId,
    });
    response.end(markup);
  };

/** Carriers repeat a webhook only after a 503. */
const retried = (account: BodyAccount): BodyAccount => ({
  ...account,
  hold: (...bytes) => {
    try {
      account.hold(...bytes);
    } catch (cause) {
      throw sendAgain(cause);
    }
  },
});

const sendAgain = (cause: unknown): AppError =>
  new AppError('webhook_retry_requested', 'the webhook cannot be accepted now; send it again', { cause });

/** A refusal is final. Any other failure may be temporary, so the carrier is asked to retry, and the cause is logged. */
function retryable(error: unknown, exchange: RequestContext): unknown {
  if (error instanceof AppError && error.status < 500) return error;
  exchange.error = error instanceof AppError ? (error.cause ?? error) : error;
  return sendAgain(error);
}

/**
 * The URL that the carrier signed: PUBLIC_URL and the request's own path and query. The Host header is not used, because the client controls it: with it, a
 * webhook to another installation with the same account could be replayed here.
 * @param target the request target, in origin or absolute form
 */
export function publicUrlOf(target: string, publicUrl: string): string {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
  return publicUrl.replace(/\/+$/, '') + path;
}
