import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { routes, type AnyRoute } from '@parley/contract';
import { createLogger, systemClock, type Caller } from '@parley/runtime';
import { httpEdge } from '../http';
import type { RequestPipeline } from './request-pipeline';
import { resourceRouters } from './resource-routers';
import { routeTable } from './route-table';

const caller: Caller = { keyId: 'key', organizationId: 'org', kind: 'customer', scopes: [] };

/** A fake pipeline that accepts every caller and returns the matched path with its parameters. */
const pipeline: Partial<RequestPipeline> = {
  passBeforeBody: () => undefined,
  passAfterBody: () => undefined,
  bodyAccount: () => ({ hold: () => undefined, release: () => undefined }),
  identifyCaller: async (_request, exchange) => (exchange.caller = caller),
  serve: async ({ route, call }) => ({ body: JSON.stringify([route.declaration.path, call.params]) }),
};

/** The path with a parameter deliberately precedes the one with a fixed segment. */
const paths = [
  '/v1/things',
  '/v1/things/{thing_id}',
  '/v1/things/special',
  '/v1/things/{thing_id}/parts/{part_id}',
  '/v1/things/{id}/retry',
  '/v1/things/special/parts',
];

describe('resource routers', () => {
  let server: Server;

  beforeAll(async () => {
    const { getAgent } = routes;
    const declared = paths.map((path, place): AnyRoute => ({ ...getAgent, id: `r${place}`, path }));
    const log = createLogger({ service: 'test', level: 'silent' });
    const { handler, server: classes } = httpEdge({
      probes: new Map(),
      routers: resourceRouters(routeTable([], declared), pipeline as RequestPipeline),
      recorder: { log, flat: log, clock: systemClock, observe: () => undefined, words: new Set() },
      requestTimeoutSeconds: 10,
    });
    server = createServer({ ...classes }, handler).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => void server.close());

  async function get(path: string): Promise<{ status: number; body: unknown }> {
    const { port } = server.address() as AddressInfo;
    return new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) as unknown }));
      });
      sent.on('error', reject).end();
    });
  }

  it.each([
    ['/v1/things', '/v1/things', {}],
    ['/v1/things?a=/v1/things/b', '/v1/things', {}],
    ['/v1/things/special', '/v1/things/special', {}],
    ['/v1/things/a', '/v1/things/{thing_id}', { thing_id: 'a' }],
    ['/v1/things/Special', '/v1/things/{thing_id}', { thing_id: 'Special' }],
    ['/v1/things/a%2Fb%20c', '/v1/things/{thing_id}', { thing_id: 'a/b c' }],
    ['/v1/things/a#b', '/v1/things/{thing_id}', { thing_id: 'a#b' }],
    ['/v1/things/a/parts/b', '/v1/things/{thing_id}/parts/{part_id}', { thing_id: 'a', part_id: 'b' }],
    ['/v1/things/a/retry', '/v1/things/{id}/retry', { id: 'a' }],
    ['/v1/things/special/parts', '/v1/things/special/parts', {}],
    ['/v1/things/special/parts/b', '/v1/things/{thing_id}/parts/{part_id}', { thing_id: 'special', part_id: 'b' }],
    ['/v1/things/special/retry', '/v1/things/{id}/retry', { id: 'special' }],
    ['/v1/things/__proto__', '/v1/things/{thing_id}', { thing_id: '__proto__' }],
    ['http://a.example/v1/things/a', '/v1/things/{thing_id}', { thing_id: 'a' }],
  ])('routes %s to its declared path with decoded parameters', async (path, declared, params) => {
    expect(await get(path)).toEqual({ status: 200, body: [declared, params] });
  });

  it.each([
    '/',
    '*',
    '/v1',
    '/V1/things',
    '/v1/things/',
    '/v1/things/?a=b',
    '//v1/things',
    '/v1//things',
    '/v1/things/a/',
    '/v1/things//parts/b',
    '/v1/things/a/parts',
    '/v1/things/a/parts/b/c',
    '/v1/%74hings',
    '/v1/things#a',
    '/v1/things%23a',
    '/v1/things/%',
    '/v1/things/%ff',
    '/v1/things/a/parts/%c3%28',
    '/v1/__proto__',
    'http://a.example',
    'http://a.example?a=b',
    'http://a.example/v1\\things',
  ])('answers 404 for %p', async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
  });
});
