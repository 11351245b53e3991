import path from 'node:path';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { BodyBudget, changingSecret, LateRefusals, type Infrastructure, type ServiceParts } from '@parley/runtime';
import { createVault, followingKeyring, isKeyring } from '@parley/vault';
import type { ConsoleConfig } from './config';
import { refuse, sameOrigin } from './same-origin';
import { sealer } from './sealed-cookie';
import { sessionRouter } from './sessions';
import { loadSite, siteRouter } from './site';
import { gatewayClient, proxyRouter } from './upstream';

/** Bodies are sign-ins, and those that are passed on piece by piece: 64 at once from each address and in each session, which leaves connections for others. */
const bodyBudgets = { process: 16 * 1024 * 1024, client: 1024 * 1024 };

/** The console is stateless: a session is in the browser's encrypted cookie, and all other data is the platform's. */
export async function build({
  config,
  log,
  identity,
  signal,
}: Pick<Infrastructure<ConsoleConfig>, 'config' | 'log' | 'identity' | 'signal'>): Promise<ServiceParts> {
  const gateway = gatewayClient(config.gatewayUrl, config.gatewayTls === 'internal' ? identity() : undefined);
  const { trustedProxies } = config;
  const bodyBudget = new BodyBudget(bodyBudgets);
  const keys = changingSecret('CONSOLE_KEYS', config.consoleKeys, { usable: isKeyring });
  const seal = sealer(createVault(followingKeyring(keys)));
  const site = await loadSite(path.resolve(__dirname, '../dist/web'));

  const refusals = new LateRefusals();
  const failed: ErrorRequestHandler = (error: unknown, request, response, _next) => {
    const refusal = refusalOf(error);
    if (refusal === undefined) log.error({ err: error }, 'request failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    refusals.send(request, () => {
      if (request.isPaused()) response.set('Connection', 'close');
      refuse(response.set(waitHeaders(refusal)), ...(refusal ?? failure));
    });
  };
  const unknown: RequestHandler = (_request, response) => refuse(response, 404, 'not_found', 'no such page');

  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', false);
  // TLS is terminated in front of this port, so only PUBLIC_URL shows whether browsers use it.
  if (config.publicUrl?.startsWith('https:') === true) {
    app.use((_request, response, next) => {
      response.set('Strict-Transport-Security', 'max-age=31536000');
      next();
    });
  }
  app.get('/', (_request, response) => response.redirect(302, '/console'));
  app.use('/console/api', sameOrigin);
  app.use('/console/api/session', sessionRouter({ gateway, seal, log, trustedProxies, bodyBudget }));
  app.use('/console/api/v1', proxyRouter({ gateway, seal, log, trustedProxies, bodyBudget, leaving: signal }));
  app.use('/console/api', unknown);
  app.use('/console', siteRouter(site, config.mediaPublicUrl));
  app.use(unknown);
  app.use(failed);

  return { http: app, ready: () => gateway.waitsFor() };
}

type Refusal = readonly [status: number, error: string, message: string, fields?: { retry_after_seconds: number }];

const failure: Refusal = [500, 'internal_error', 'the request could not be completed'];
const refusals: Readonly<Record<number, Refusal>> = {
  413: [413, 'PayloadTooLargeError', 'the body is too large'],
  415: [415, 'UnsupportedMediaTypeError', 'send the body as application/json in UTF-8, not compressed'],
  429: [429, 'rate_limited', 'too many requests with a body are in flight', { retry_after_seconds: 1 }],
  503: [503, 'overloaded', 'the console holds as many bodies as it can', { retry_after_seconds: 1 }],
};

const waitHeaders = ([, , , fields]: Refusal = failure): Record<string, string> =>
  fields === undefined ? {} : { 'Retry-After': String(fields.retry_after_seconds) };

/** What is refused with a status from 400 to 499, or for want of room, is the client's error, and may contain its body: it is answered and not logged. */
function refusalOf(error: unknown): Refusal | undefined {
  const status = error instanceof Error && 'status' in error ? Number(error.status) : 500;
  if (status !== 503 && (status < 400 || status > 499)) return undefined;
  return refusals[status] ?? [400, 'BadRequestError', 'the request is malformed'];
}
