import express, { type Request, type Response, type Router } from 'express';
import { limits, parseJsonStrict } from '@parley/contract';
import { addressGroup, clientAddress, readBody, type BodyBudget, type Logger } from '@parley/runtime';
import { apiHeaders, refuse } from '../same-origin';
import { clientHeaders, type Answered, type Asking, type GatewayClient } from '../upstream';
import type { Sealer } from '../sealed-cookie';

interface Parts {
  readonly gateway: GatewayClient;
  readonly seal: Sealer;
  readonly log: Logger;
  readonly trustedProxies: number;
  readonly bodyBudget: BodyBudget;
}

/**
 * `POST` exchanges a pasted key for a platform session, which is encrypted into the cookie; the key is discarded with the request. `GET` returns the session's
 * subject, or null. `DELETE` ends it at the platform, and also clears the cookie if the platform is unavailable: then the session expires by itself.
 */
export function sessionRouter({ gateway, seal, log, trustedProxies, bodyBudget }: Parts): Router {
  const router = express.Router();
  const asking = (request: Request, token: string, method: Asking['method'], path: string): Asking => ({
    method,
    path,
    token,
    client: clientHeaders(request, trustedProxies),
  });

  router.post('/', async (request, response) => {
    if (!isPlainJson(request)) {
      refuse(response, 415, 'UnsupportedMediaTypeError', 'send the body as application/json in UTF-8, not compressed');
      return;
    }
    const account = bodyBudget.open({ address: addressGroup(clientAddress(request, trustedProxies)) });
    const { key } = parseJsonStrict(await readBody(request, response, { limit: limits.smallBodyBytes, account }));
    if (typeof key !== 'string' || !/^tai_[\x21-\x7e]{1,500}$/.test(key.trim())) {
      refuse(response, 400, 'BadRequestError', 'key: must be an API key, which begins with tai_');
      return;
    }
    const made = await gateway.json(asking(request, key.trim(), 'POST', '/v1/sessions'));
    const { token, expires_at: expiresAt } = (made.body ?? {}) as { token?: unknown; expires_at?: unknown };
    if (made.status !== 201 || typeof token !== 'string') {
      pass(response, made);
      return;
    }
    seal.write(response, token, typeof expiresAt === 'string' ? expiresAt : null);
    pass(response, await gateway.json(asking(request, token, 'GET', '/v1/me')));
  });

  router.get('/', async (request, response) => {
    const token = seal.read(request.headers.cookie);
    // Most callers are not signed in: that is a result and not an error.
    if (token === undefined) {
      response.set(apiHeaders).json(null);
      return;
    }
    const me = await gateway.json(asking(request, token, 'GET', '/v1/me'));
    if (me.status !== 401) {
      pass(response, me);
      return;
    }
    seal.clear(response);
    response.set(apiHeaders).json(null);
  });

  router.delete('/', async (request, response) => {
    const token = seal.read(request.headers.cookie);
    seal.clear(response);
    if (token !== undefined) {
      const ended = await gateway.json(asking(request, token, 'DELETE', '/v1/sessions'));
      if (ended.status >= 400 && ended.status !== 401)
        log.warn({ status: ended.status }, 'a session could not be revoked');
    }
    response.status(204).set(apiHeaders).end();
  });

  return router;
}

const isPlainJson = (request: Request): boolean =>
  /^application\/json *(?:; *charset="?utf-8"? *)?$/i.test(request.get('content-type') ?? 'application/json') &&
  /^(?:identity)?$/i.test(request.get('content-encoding') ?? '');

/** The platform's response unchanged: its errors name their request. */
function pass(response: Response, { status, body, retryAfter }: Answered): void {
  if (retryAfter !== undefined) response.set('Retry-After', retryAfter);
  response.status(status).set(apiHeaders).json(body);
}
