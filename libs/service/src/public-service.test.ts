import { routes } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { PublicAnswer, PublicRequest } from '@parley/proto/public';
import { createLogger, type Caller } from '@parley/runtime';
import type { PublicCall, PublicResult } from './public-call';
import { publicService, type PublicHandlers } from './public-service';

type Handler = (call: PublicCall) => Promise<PublicResult>;

const log = createLogger({ service: 'test', level: 'silent' });
const caller: Caller = { keyId: 'key_1', organizationId: 'org_a', kind: 'customer', scopes: [] };
const names = Object.entries(routes).flatMap(([name, { service }]) => (service === 'webhooks' ? [name] : []));

/** Handlers of all routes. Each returns its route's id, except for the given ones. */
const handlersOf = (given: Readonly<Record<string, Handler>> = {}): PublicHandlers<'webhooks'> => {
  const all = names.map((name) => [
    name,
    given[name] ?? (({ route }: PublicCall) => Promise.resolve({ body: route.id })),
  ]);
  return Object.fromEntries(all) as PublicHandlers<'webhooks'>;
};

/** Sends a request to a service with these handlers. */
async function ask(
  route: string,
  sent: {
    readonly query?: Readonly<Record<string, string>>;
    readonly organizationId?: string;
    readonly caller?: Caller;
  },
  given?: Readonly<Record<string, Handler>>,
): Promise<PublicAnswer> {
  const { publicHandler } = publicService('webhooks', handlersOf(given));
  if (publicHandler === undefined) throw new Error('it has no public routes');
  const request: PublicRequest = {
    route,
    organizationId: sent.organizationId ?? '',
    path: ['dlv_1'],
    query: Object.entries(sent.query ?? {}).map(([name, value]) => ({ name, value })),
    body: Buffer.alloc(0),
    idempotency: undefined,
    ifMatch: '',
    caller: 1,
    requestId: 'r',
    traceparent: '',
    timeoutMs: 1_000,
    clientAddress: '',
    userAgent: '',
  };
  const { signal } = new AbortController();
  return publicHandler(request, { caller: sent.caller, requestId: 'r', signal, log });
}

/** A handler that records its calls. */
function counted(result: () => PublicResult) {
  const calls: PublicCall[] = [];
  const handler: Handler = async (call) => {
    calls.push(call);
    return result();
  };
  return { calls, handler };
}

const refusal = expect.objectContaining({ code: 'BadRequestError', status: 400 }) as Error;

describe('the public routes of a service', () => {
  it.each(names)('cannot be created without a handler of %s', (name) => {
    const { [name as keyof PublicHandlers<'webhooks'>]: _missing, ...others } = handlersOf();
    expect(() => publicService('webhooks', others as PublicHandlers<'webhooks'>)).toThrow();
  });

  it.each(names)('call the handler of %s', async (name) => {
    const { id } = routes[name as keyof typeof routes];
    expect((await ask(id, { caller })).body.toString()).toBe(id);
  });

  it('an unknown route, or one of another service, is an internal error', async () => {
    for (const route of ['get-agent', 'list-events', 'no-route', '', 'constructor']) {
      await expect(ask(route, { caller })).rejects.toMatchObject({ code: 'internal_error', status: 500 });
    }
  });

  it('run no handler if the tenant guard rejects the request', async () => {
    const { calls, handler } = counted(() => ({ body: '' }));
    const given = { getDelivery: handler };
    const absent = ask('get-delivery', {}, given);
    await expect(absent).rejects.toMatchObject({ code: 'UnauthorizedError', status: 401 });
    const foreign = ask('get-delivery', { caller, organizationId: 'org_b' }, given);
    await expect(foreign).rejects.toMatchObject({ code: 'ForbiddenError', status: 403 });
    expect(calls).toEqual([]);
  });

  it('return the result of the handler', async () => {
    const { handler } = counted(() => ({ body: { a: 1 }, etag: '"1"', replayed: true }));
    const answer = await ask('get-delivery', { caller }, { getDelivery: handler });
    expect(answer).toEqual({ body: Buffer.from('{"a":1}'), etag: '"1"', replayed: true });
  });
});

describe('an invalid query', () => {
  const query = { strange: '1' };
  const absent = () => {
    throw notFound('delivery');
  };

  it('returns 404 for a record that does not exist, if the route reads by id', async () => {
    const { calls, handler } = counted(absent);
    const asked = ask('get-delivery', { caller, query }, { getDelivery: handler });
    await expect(asked).rejects.toMatchObject({ code: 'NotFoundError', status: 404 });
    expect(calls).toHaveLength(1);
  });

  it('returns 404 for a list of a record that does not exist; the handler gets the defaults', async () => {
    const { calls, handler } = counted(absent);
    const asked = ask('list-deliveries', { caller, query: { limit: '1000', type: 'x' } }, { listDeliveries: handler });
    await expect(asked).rejects.toMatchObject({ code: 'NotFoundError', status: 404 });
    expect(calls.map((call) => call.query)).toEqual([expect.objectContaining({ limit: 20 })]);
  });

  it('returns 400 if the route reads by id and the record exists', async () => {
    const { calls, handler } = counted(() => ({ body: '' }));
    await expect(ask('get-delivery', { caller, query }, { getDelivery: handler })).rejects.toEqual(refusal);
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['list-agent-endpoints', 'listAgentEndpoints'],
    ['create-agent-endpoint', 'createAgentEndpoint'],
    ['delete-agent-endpoint', 'deleteAgentEndpoint'],
    ['retry-delivery', 'retryDelivery'],
  ])('returns 400 for %s without running its handler', async (route, name) => {
    const { calls, handler } = counted(absent);
    await expect(ask(route, { caller, query }, { [name]: handler })).rejects.toEqual(refusal);
    expect(calls).toEqual([]);
  });

  it('does not apply: a valid query is validated before the handler runs', async () => {
    const { calls, handler } = counted(() => ({ body: '' }));
    await ask('list-deliveries', { caller, query: { limit: '7' } }, { listDeliveries: handler });
    expect(calls.map((call) => call.query)).toEqual([expect.objectContaining({ limit: 7 })]);
  });
});
