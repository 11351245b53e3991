import path from 'node:path';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { changingSecret, type Infrastructure, type ServiceParts } from '@parley/runtime';
import { createVault, followingKeyring, isKeyring } from '@parley/vault';
import type { ConsoleConfig } from './config';
import { refuse, sameOrigin } from './same-origin';
import { sealer } from './sealed-cookie';
import { sessionRouter } from './sessions';
import { loadSite, siteRouter } from './site';
import { gatewayClient, proxyRouter } from './upstream';

/** The console is stateless: a session is in the browser's encrypted cookie, and all other data is the platform's. */
export async function build({
  config,
  log,
  identity,
  signal,
}: Pick<Infrastructure<ConsoleConfig>, 'config' | 'log' | 'identity' | 'signal'>): Promise<ServiceParts> {
  const gateway = gatewayClient(config.gatewayUrl, config.gatewayTls === 'internal' ? identity() : undefined);
  const keys = changingSecret('CONSOLE_KEYS', config.consoleKeys, { usable: isKeyring });
  const seal = sealer(createVault(followingKeyring(keys)));
  const site = await loadSite(path.resolve(__dirname, '../dist/web'));

  const failed: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
    log.error({ err: error }, 'request failed');
    if (response.headersSent) response.destroy();
    else refuse(response, 500, 'internal_error', 'the request could not be completed');
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
  app.use('/console/api/session', sessionRouter({ gateway, seal, log }));
  app.use('/console/api/v1', proxyRouter({ gateway, seal, log, leaving: signal }));
  app.use('/console/api', unknown);
  app.use('/console', siteRouter(site, config.mediaPublicUrl));
  app.use(unknown);
  app.use(failed);

  return { http: app, ready: () => gateway.waitsFor() };
}
