import { limits } from '@parley/contract';
import { conflict, invalidField, notFound } from '@parley/errors';
import { SlowClient } from '@parley/testing';
import { foreignOrganization, organization } from './fake-services';
import { TestGateway } from './test-gateway';

/** A request to which faults are added. */
interface Sent {
  method: string;
  path: string;
  token: string | undefined;
  query: Record<string, string>;
  headers: Record<string, string>;
  body: string | Record<string, unknown>;
  /** What the owning service answers. */
  outcomes: Record<'id' | 'fields' | 'conflict', boolean>;
  maintenance: boolean;
}

interface Fault {
  readonly name: string;
  readonly status: number;
  readonly error: string;
  readonly add: (sent: Sent, tokens: Record<'full' | 'narrow' | 'used', string>) => void;
}

/** docs/reference/requests.md, "Order of checks". A fault that has two forms has them in one row, because both are judged at the same place. */
const faults: readonly Fault[] = [
  { name: 'an unknown route', status: 404, error: 'not_found', add: (sent) => (sent.path = '/v1/nothing') },
  { name: 'an undeclared method', status: 405, error: 'method_not_allowed', add: (sent) => (sent.method = 'PUT') },
  { name: 'no key', status: 401, error: 'UnauthorizedError', add: (sent) => (sent.token = undefined) },
  {
    name: 'a missing scope',
    status: 403,
    error: 'ForbiddenError',
    add: (sent, { narrow }) => (sent.token = narrow),
  },
  {
    name: 'a foreign organization in the query',
    status: 403,
    error: 'ForbiddenError',
    add: (sent) => (sent.query.organization_id = foreignOrganization),
  },
  { name: 'a used up rate', status: 429, error: 'rate_limited', add: (sent, { used }) => (sent.token = used) },
  {
    name: 'a Content-Encoding',
    status: 415,
    error: 'UnsupportedMediaTypeError',
    add: (sent) => (sent.headers['content-encoding'] = 'gzip'),
  },
  {
    name: 'a body that is too large',
    status: 413,
    error: 'PayloadTooLargeError',
    add: (sent) => (sent.body = `[${' '.repeat(limits.bodyBytes)}`),
  },
  { name: 'a body that is no object', status: 400, error: 'BadRequestError', add: (sent) => (sent.body = '[]') },
  {
    name: 'new work in a window',
    status: 503,
    error: 'platform_maintenance',
    add: (sent) => (sent.maintenance = true),
  },
  {
    name: 'a foreign organization in the body',
    status: 403,
    error: 'ForbiddenError',
    add: (sent) => {
      if (typeof sent.body !== 'string') sent.body.organization_id = foreignOrganization;
    },
  },
  { name: 'an absent id', status: 404, error: 'NotFoundError', add: (sent) => (sent.outcomes.id = true) },
  { name: 'an invalid field', status: 400, error: 'BadRequestError', add: (sent) => (sent.outcomes.fields = true) },
  { name: 'a conflict', status: 409, error: 'ConflictError', add: (sent) => (sent.outcomes.conflict = true) },
];

const neighbors = faults.slice(1).map((second, index) => [faults[index] as Fault, second] as const);

describe('order of checks: of two neighbors, the first one is the answer', () => {
  let gateway: TestGateway;
  let tokens: Record<'full' | 'narrow' | 'used', string>;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    const { services } = gateway;
    tokens = {
      full: services.token(),
      narrow: services.token({ scopes: ['calls:read'] }),
      used: services.token({ requestsPerMinute: 1 }),
    };
  });
  afterAll(() => gateway.stop());

  /** The status and error of a request with some faults. */
  async function outcomeOf(...added: readonly Fault[]): Promise<[number, unknown]> {
    const sent: Sent = {
      method: 'PATCH',
      path: '/v1/agents/agt_x',
      token: tokens.full,
      query: {},
      headers: {},
      body: { organization_id: organization, name: 'x' },
      outcomes: { id: false, fields: false, conflict: false },
      maintenance: false,
    };
    // In reverse order, so that of two forms of a body the first fault's remains.
    for (const fault of added.toReversed()) fault.add(sent, tokens);
    const { method, path, token, query, headers, body, outcomes } = sent;
    const answered = async (): Promise<never> => {
      if (outcomes.id) throw notFound('agent');
      if (outcomes.fields) throw invalidField('name', 'type', 'must be a string');
      throw conflict('stale');
    };
    const overrides = Object.values(outcomes).includes(true) ? { forwarded: { 'update-agent': answered } } : {};
    let outcome: [number, unknown] = [0, undefined];
    if (sent.maintenance) await gateway.maintenance(true);
    await gateway.services.withOverrides(overrides, async () => {
      // The limit of one request counts over a minute, which may end between two requests.
      if (token === tokens.used) await gateway.request('GET', '/v1/agents', { token });
      const answer = await gateway.request(method, `${path}?${new URLSearchParams(query).toString()}`, {
        headers,
        body,
        ...(token === undefined ? {} : { token }),
      });
      outcome = [answer.status, answer.body.error];
    });
    if (sent.maintenance) await gateway.maintenance(false);
    return outcome;
  }

  it.each(faults.map((fault) => [fault.name, fault] as const))('%s alone is reported', async (_name, fault) => {
    expect(await outcomeOf(fault)).toEqual([fault.status, fault.error]);
  });

  it.each(neighbors.map(([first, second]) => [first.name, second.name, first, second] as const))(
    '%s comes before %s',
    async (_first, _second, first, second) => {
      expect(await outcomeOf(first, second)).toEqual([first.status, first.error]);
    },
  );

  it.each(['/v1/agents/agt_x?x=1', '/v1/agent-endpoints/ep_x/deliveries?limit=0'])(
    'checks the id before the query: %s is 404 if the record does not exist, otherwise 400',
    async (path) => {
      const absent = async (): Promise<never> => {
        throw notFound('record');
      };
      const { full: token } = tokens;
      await gateway.services.withOverrides(
        { forwarded: { 'get-agent': absent, 'list-deliveries': absent } },
        async () => {
          expect((await gateway.request('GET', path, { token })).status).toBe(404);
        },
      );
      expect((await gateway.request('GET', path, { token })).status).toBe(400);
    },
  );

  interface Begun {
    token: string;
    query: string;
    header: string[];
    length: number;
  }
  const begun = (): Begun => ({ token: tokens.full, query: '', header: [], length: 1_000_000 });

  it.each([
    ['a missing scope', 403, () => ({ token: tokens.narrow })],
    ['a foreign organization in the query', 403, () => ({ query: `?organization_id=${foreignOrganization}` })],
    ['a Content-Encoding', 415, () => ({ header: ['Content-Encoding: gzip'] })],
    ['a Content-Length over the limit', 413, () => ({ length: limits.bodyBytes + 1 })],
  ] satisfies [string, number, () => Partial<Begun>][])(
    '%s is answered before any byte of the body arrives',
    async (_name, status, given) => {
      const { token, query, header, length } = { ...begun(), ...given() };
      const lines = [`POST /v1/agents${query} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${token}`, ...header];
      const client = await SlowClient.send(gateway.url, [...lines, `Content-Length: ${length}`]);
      expect((await client.answer())[0]).toBe(status);
      client.leave();
    },
  );
});
