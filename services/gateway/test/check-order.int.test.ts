import { allRoutes } from '@parley/contract';
import { notFound } from '@parley/errors';
import { foreignOrganization, foreignProject, organization } from './fake-services';
import { TestGateway, type RequestOptions } from './test-gateway';

/** docs/reference/requests.md, "Check order": a request with several errors is answered with the first one of the list. */
describe('order of checks: a request with several errors is answered with the first one', () => {
  let gateway: TestGateway;
  let full: string;
  let scopeless: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    full = gateway.services.token();
    scopeless = gateway.services.token({ scopes: ['calls:read'] });
    await gateway.maintenance(true);
  });
  afterAll(() => gateway.stop());

  const encoded = { 'content-encoding': 'gzip' };
  const large = `{"organization_id":"${foreignOrganization}","x":"${'x'.repeat(1024 * 1024)}"}`;
  const foreignBody = { organization_id: foreignOrganization, project_id: foreignProject, mode: 5 };

  // The request of each row also contains the errors of all rows below it, as far as they can be combined.
  const rows: [string, number, string, string, string, () => RequestOptions][] = [
    ['an unknown route', 404, 'not_found', 'BREW', '/v1/nothing?x=1', () => ({ headers: encoded, body: '[' })],
    [
      'a method that is not declared for the path',
      405,
      'method_not_allowed',
      'PUT',
      '/v1/agents?x=1',
      () => ({ headers: encoded, body: '[' }),
    ],
    ['no key', 401, 'UnauthorizedError', 'POST', '/v1/agents?x=1', () => ({ headers: encoded, body: large })],
    [
      'a Content-Encoding',
      415,
      'UnsupportedMediaTypeError',
      'POST',
      '/v1/agents?x=1',
      () => ({ token: scopeless, headers: encoded, body: large }),
    ],
    [
      'a body that is too large',
      413,
      'PayloadTooLargeError',
      'POST',
      '/v1/agents?x=1',
      () => ({ token: scopeless, body: large }),
    ],
    [
      'a body that is not a JSON object',
      400,
      'BadRequestError',
      'POST',
      '/v1/agents?x=1',
      () => ({ token: scopeless, body: '[]' }),
    ],
    [
      'new work during maintenance',
      503,
      'platform_maintenance',
      'POST',
      '/v1/agents?x=1',
      () => ({ token: scopeless, body: foreignBody }),
    ],
    [
      'a missing scope',
      403,
      'ForbiddenError',
      'POST',
      `/v1/api-keys?x=1&organization_id=${foreignOrganization}`,
      () => ({ token: scopeless, body: foreignBody }),
    ],
    [
      'a foreign organization',
      403,
      'ForbiddenError',
      'POST',
      `/v1/numbers?x=1`,
      () => ({ token: full, body: foreignBody }),
    ],
    [
      'a foreign project',
      404,
      'NotFoundError',
      'POST',
      '/v1/numbers?x=1',
      () => ({ token: full, body: { ...foreignBody, organization_id: organization } }),
    ],
    ['an unknown query parameter', 400, 'BadRequestError', 'GET', '/v1/agents?x=1', () => ({ token: full })],
  ];

  it.each(rows)('%s answers %i %s', async (_case, status, error, method, path, options) => {
    const verb = method === 'BREW' ? 'POST' : method;
    const answer = await gateway.request(verb, path, options());
    expect([answer.status, answer.body.error]).toEqual([status, error]);
  });

  it.each(['/v1/agents/agt_x?x=1', '/v1/agent-endpoints/ep_x/deliveries?limit=0'])(
    'checks the id before the query: %s is 404 if the record does not exist, otherwise 400',
    async (path) => {
      const absent = async (): Promise<never> => {
        throw notFound('record');
      };
      await gateway.services.withOverrides(
        { forwarded: { 'get-agent': absent, 'list-deliveries': absent } },
        async () => {
          expect((await gateway.request('GET', path, { token: full })).status).toBe(404);
        },
      );
      expect((await gateway.request('GET', path, { token: full })).status).toBe(400);
    },
  );

  it('calls only auth before all checks passed, except the services that check ids and queries themselves', () => {
    const asked = new Set(gateway.services.asked.map((call) => call.rpc));
    expect([...asked].sort()).toEqual(['get-agent', 'list-agents', 'list-deliveries', 'resolveProject', 'verifyToken']);
  });

  it('every row of this table names a declared route and an error status', () => {
    const paths = new Set(allRoutes.map((route) => `${route.method} ${route.path}`));
    for (const [, status, , method, path] of rows.slice(2)) {
      expect(paths.has(`${method} ${path.split('?')[0]}`)).toBe(true);
      expect(status).toBeGreaterThanOrEqual(400);
    }
  });
});
