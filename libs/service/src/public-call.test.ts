import { routes, type AnyRoute } from '@parley/contract';
import type { PublicRequest } from '@parley/proto/public';
import { createLogger, type Caller, type CallContext } from '@parley/runtime';
import { PublicCall } from './public-call';

const log = createLogger({ service: 'test', level: 'silent' });
const caller: Caller = { keyId: 'key_1', organizationId: 'org_a', kind: 'customer', scopes: [] };
const operator: Caller = { keyId: 'key_2', organizationId: '', kind: 'operator', scopes: [] };
const contextOf = (one: Caller | undefined): CallContext => ({
  caller: one,
  requestId: 'r',
  signal: new AbortController().signal,
  log,
});

type Sent = Partial<Omit<PublicRequest, 'body' | 'query'>> & {
  readonly body?: string;
  readonly query?: readonly (readonly [name: string, value: string])[];
};

function callOf<R extends AnyRoute>(route: R, sent: Sent = {}, one: Caller | undefined = caller, insecure = false) {
  const { body = '', query = [], ...rest } = sent;
  const request: PublicRequest = {
    route: route.id,
    organizationId: '',
    path: [],
    idempotency: undefined,
    ifMatch: '',
    caller: 1,
    requestId: 'r',
    traceparent: '',
    timeoutMs: 1_000,
    clientAddress: '',
    userAgent: '',
    ...rest,
    body: Buffer.from(body),
    query: query.map(([name, value]) => ({ name, value })),
  };
  return new PublicCall(route, request, contextOf(one), insecure);
}

const refusal = expect.objectContaining({ code: 'BadRequestError', status: 400 }) as Error;
const endpoint = {
  organization_id: 'org_a',
  project_id: 'prj_1',
  webhook_url: 'https://hooks.example.com/',
  audio_stream_url: 'wss://audio.example.com/',
};

describe('the tenant of a call', () => {
  it('is the guard of every call', () => {
    expect(() => new PublicCall(routes.getDelivery, {} as PublicRequest, contextOf(undefined), false)).toThrow(
      expect.objectContaining({ code: 'UnauthorizedError', status: 401 }) as Error,
    );
    expect(() => callOf(routes.getDelivery, { organizationId: 'org_b' })).toThrow(
      expect.objectContaining({ code: 'ForbiddenError', status: 403 }) as Error,
    );
    expect(callOf(routes.getDelivery).organizationId).toBe('org_a');
    expect(callOf(routes.getDelivery, { organizationId: 'org_b' }, operator).organizationId).toBe('org_b');
    expect(callOf(routes.getDelivery).caller).toBe(caller);
  });

  it('is required if records are listed or created', () => {
    expect(callOf(routes.listAgentEndpoints).namedOrganizationId).toBe('org_a');
    expect(() => callOf(routes.listAgentEndpoints, {}, operator).namedOrganizationId).toThrow(refusal);
  });
});

describe('the path and the query of a call', () => {
  it('names the values of the path in their order; one that is absent is empty', () => {
    expect(callOf(routes.getDelivery, { path: ['a/b ä'] }).params).toEqual({ delivery_id: 'a/b ä' });
    expect(callOf(routes.getDelivery).params).toEqual({ delivery_id: '' });
    expect(callOf(routes.listAgentEndpoints, { path: ['surplus'] }).params).toEqual({});
    const parameters = ['first', 'second_id'];
    const two = { ...routes.getDelivery, path: '/v1/{first}/x/{second_id}', parameters } as AnyRoute;
    expect(callOf(two, { path: ['1', '2'] }).params).toEqual({ first: '1', second_id: '2' });
  });

  it('reads the query by its class and fills the defaults in', () => {
    expect(callOf(routes.listDeliveries).query).toMatchObject({ limit: 20 });
    const query = [
      ['limit', '5'],
      ['status', 'failed'],
    ] as const;
    expect(callOf(routes.listDeliveries, { query }).query).toMatchObject({ limit: 5, status: 'failed' });
  });

  it.each([
    ['a value out of bounds', [['limit', '101']]],
    ['a name that the route does not know', [['strange', '1']]],
    ['a name that is given twice', [['type', 'call.ended'], ['type', 'call.ended']]], // prettier-ignore
    ['a name that is given three times', [['limit', '1'], ['limit', '1'], ['limit', '1']]], // prettier-ignore
    ['the name of a property that every object has', [['__proto__', '1']]],
  ] as const)('refuses %s, when the query is first asked for', (_case, query) => {
    const call = callOf(routes.listDeliveries, { query });
    expect(() => call.query).toThrow(refusal);
    expect(call.queryError()).toEqual(refusal);
    const plain = call.withoutQuery();
    expect(plain.queryError()).toBeUndefined();
    expect(plain.query).toMatchObject({ limit: 20 });
  });

  it('a call without its query keeps everything else', () => {
    const call = callOf(routes.getDelivery, { path: ['dlv_1'], ifMatch: '"1"', query: [['strange', '1']] });
    const plain = call.withoutQuery();
    expect([plain.params, plain.ifMatch, plain.organizationId]).toEqual([{ delivery_id: 'dlv_1' }, '"1"', 'org_a']);
  });
});

describe('the body of a call', () => {
  it.each([
    ['no body where a field is required', routes.recoverEndpoint, ''],
    ['no body where it creates', routes.createAgentEndpoint, ''],
    ['no body where it changes', routes.updateAgentEndpoint, ''],
    ['text that is not JSON', routes.rotateEndpointSecret, '{'],
    ['a list', routes.rotateEndpointSecret, '[]'],
    ['a name that is given twice', routes.rotateEndpointSecret, '{"overlap_hours":1,"overlap_hours":1}'],
  ])('%s is refused', (_case, route, body) => {
    const call = callOf(route as AnyRoute, { body });
    expect(() => call.json).toThrow(refusal);
    expect(() => call.body()).toThrow(refusal);
  });

  it('may be absent for an action on a record whose fields are all optional', () => {
    const call = callOf(routes.rotateEndpointSecret);
    expect(call.json).toEqual({});
    expect(call.body()).toEqual({});
  });

  it('is validated when it is first asked for, once', () => {
    const wrong = callOf(routes.rotateEndpointSecret, { body: '{"overlap_hours":-1}' });
    expect(wrong.json).toEqual({ overlap_hours: -1 });
    expect(() => wrong.body()).toThrow(refusal);
    const right = callOf(routes.rotateEndpointSecret, { body: '{"overlap_hours":1}' });
    expect(right.json).toBe(right.json);
    expect(right.body()).toBe(right.body());
    expect(right.body()).toEqual({ overlap_hours: 1 });
  });

  it('a route that takes none has none', () => {
    expect(() => callOf(routes.testEndpoint, { body: '{}' }).body()).toThrow();
  });

  it.each([
    [
      'shown by the interface',
      callOf(routes.createAgentEndpoint, { body: JSON.stringify({ ...endpoint, strange: 1 }) }),
    ],
    ['any other', callOf(routes.rotateEndpointSecret, { body: '{"overlap_hours":1,"strange":1}' })],
  ])('names that the route does not know are refused in a body that is %s', (_what, call) => {
    expect(() => call.body()).toThrow(refusal);
    expect(() => call.body()).toThrow(
      expect.objectContaining({
        fields: { errors: [expect.objectContaining({ path: 'strange', code: 'unknown_field' })] },
      }),
    );
  });

  it('holds http and ws addresses in the development profile alone', () => {
    const body = JSON.stringify({ ...endpoint, webhook_url: 'http://hooks.example.com/' });
    expect(() => callOf(routes.createAgentEndpoint, { body }).body()).toThrow(refusal);
    expect(callOf(routes.createAgentEndpoint, { body }, caller, true).body()).toMatchObject({
      webhook_url: 'http://hooks.example.com/',
    });
  });
});

describe('the headers and the answer of a call', () => {
  it('has its idempotency key in the scope of its organization unless another is given', () => {
    const idempotency = { key: 'k', route: 'recover-agent-endpoint', fingerprint: Buffer.from([1]) };
    const call = callOf(routes.recoverEndpoint, { idempotency });
    expect(call.creating()).toEqual({ organizationId: 'org_a', ...idempotency });
    expect(call.creating('org_b').organizationId).toBe('org_b');
    expect(callOf(routes.recoverEndpoint).creating().key).toBe('');
  });

  it('passes If-Match on unchanged', () => {
    expect(callOf(routes.updateAgentEndpoint, { ifMatch: '"1", "2"' }).ifMatch).toBe('"1", "2"');
  });

  it('writes a text and bytes as they are, anything else as JSON', () => {
    const call = callOf(routes.getDelivery);
    expect(call.answer({ body: '{"ä":1}' }).body).toEqual(Buffer.from('{"ä":1}'));
    expect(call.answer({ body: Buffer.from([255, 0]) }).body).toEqual(Buffer.from([255, 0]));
    expect(call.answer({ body: { a: [1] } }).body).toEqual(Buffer.from('{"a":[1]}'));
    expect(call.answer({ body: '' })).toMatchObject({ etag: '', replayed: false });
    expect(call.answer({ body: '', etag: '"1"', replayed: true })).toMatchObject({ etag: '"1"', replayed: true });
  });
});
