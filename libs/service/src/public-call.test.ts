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

describe('the organization of a call', () => {
  it('is checked against the caller for every call', () => {
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

  it('is required to list and create records', () => {
    expect(callOf(routes.listAgentEndpoints).namedOrganizationId).toBe('org_a');
    expect(() => callOf(routes.listAgentEndpoints, {}, operator).namedOrganizationId).toThrow(refusal);
  });
});

describe('path and query of a call', () => {
  it('names the path values in order; missing ones are empty', () => {
    expect(callOf(routes.getDelivery, { path: ['a/b ä'] }).params).toEqual({ delivery_id: 'a/b ä' });
    expect(callOf(routes.getDelivery).params).toEqual({ delivery_id: '' });
    expect(callOf(routes.listAgentEndpoints, { path: ['surplus'] }).params).toEqual({});
    const parameters = ['first', 'second_id'];
    const two = { ...routes.getDelivery, path: '/v1/{first}/x/{second_id}', parameters } as AnyRoute;
    expect(callOf(two, { path: ['1', '2'] }).params).toEqual({ first: '1', second_id: '2' });
  });

  it('parses the query by its class, with defaults', () => {
    expect(callOf(routes.listDeliveries).query).toMatchObject({ limit: 20 });
    const query = [
      ['limit', '5'],
      ['status', 'failed'],
    ] as const;
    expect(callOf(routes.listDeliveries, { query }).query).toMatchObject({ limit: 5, status: 'failed' });
  });

  it.each([
    ['a value out of bounds', [['limit', '101']]],
    ['an unknown name', [['strange', '1']]],
    ['a duplicate name', [['type', 'call.ended'], ['type', 'call.ended']]], // prettier-ignore
    ['a name that occurs three times', [['limit', '1'], ['limit', '1'], ['limit', '1']]], // prettier-ignore
    ['a property name of Object.prototype', [['__proto__', '1']]],
  ] as const)('throws for %s when the query is first read', (_case, query) => {
    const call = callOf(routes.listDeliveries, { query });
    expect(() => call.query).toThrow(refusal);
    expect(call.queryError()).toEqual(refusal);
    const plain = call.withoutQuery();
    expect(plain.queryError()).toBeUndefined();
    expect(plain.query).toMatchObject({ limit: 20 });
  });

  it('withoutQuery keeps everything else', () => {
    const call = callOf(routes.getDelivery, { path: ['dlv_1'], ifMatch: '"1"', query: [['strange', '1']] });
    const plain = call.withoutQuery();
    expect([plain.params, plain.ifMatch, plain.organizationId]).toEqual([{ delivery_id: 'dlv_1' }, '"1"', 'org_a']);
  });
});

describe('the body of a call', () => {
  it.each([
    ['a missing body if a field is required', routes.recoverAgentEndpoint, ''],
    ['a missing body of a creation', routes.createAgentEndpoint, ''],
    ['a missing body of an update', routes.updateAgentEndpoint, ''],
    ['text that is not JSON', routes.rotateAgentEndpointSecret, '{'],
    ['a list', routes.rotateAgentEndpointSecret, '[]'],
    ['a duplicate name', routes.rotateAgentEndpointSecret, '{"overlap_hours":1,"overlap_hours":1}'],
  ])('throws for %s', (_case, route, body) => {
    const call = callOf(route as AnyRoute, { body });
    expect(() => call.json).toThrow(refusal);
    expect(() => call.body()).toThrow(refusal);
  });

  it('may be missing for an action whose fields are all optional', () => {
    const call = callOf(routes.rotateAgentEndpointSecret);
    expect(call.json).toEqual({});
    expect(call.body()).toEqual({});
  });

  it('is validated once, when it is first read', () => {
    const wrong = callOf(routes.rotateAgentEndpointSecret, { body: '{"overlap_hours":-1}' });
    expect(wrong.json).toEqual({ overlap_hours: -1 });
    expect(() => wrong.body()).toThrow(refusal);
    const right = callOf(routes.rotateAgentEndpointSecret, { body: '{"overlap_hours":1}' });
    expect(right.json).toBe(right.json);
    expect(right.body()).toBe(right.body());
    expect(right.body()).toEqual({ overlap_hours: 1 });
  });

  it('throws if the route has no body', () => {
    expect(() => callOf(routes.testAgentEndpoint, { body: '{}' }).body()).toThrow();
  });

  it.each([
    [
      'a resource with read-only fields',
      callOf(routes.createAgentEndpoint, { body: JSON.stringify({ ...endpoint, strange: 1 }) }),
    ],
    ['another body', callOf(routes.rotateAgentEndpointSecret, { body: '{"overlap_hours":1,"strange":1}' })],
  ])('unknown fields are rejected in a body that is %s', (_what, call) => {
    expect(() => call.body()).toThrow(refusal);
    expect(() => call.body()).toThrow(
      expect.objectContaining({
        fields: { errors: [expect.objectContaining({ path: 'strange', code: 'unknown_field' })] },
      }),
    );
  });

  it('accepts http and ws addresses only in development', () => {
    const body = JSON.stringify({ ...endpoint, webhook_url: 'http://hooks.example.com/' });
    expect(() => callOf(routes.createAgentEndpoint, { body }).body()).toThrow(refusal);
    expect(callOf(routes.createAgentEndpoint, { body }, caller, true).body()).toMatchObject({
      webhook_url: 'http://hooks.example.com/',
    });
  });
});

describe('headers and response of a call', () => {
  it('the idempotency key belongs to the organization of the call unless another is given', () => {
    const idempotency = { key: 'k', route: 'recover-agent-endpoint', fingerprint: Buffer.from([1]) };
    const call = callOf(routes.recoverAgentEndpoint, { idempotency });
    expect(call.creating()).toEqual({ organizationId: 'org_a', ...idempotency });
    expect(call.creating('org_b').organizationId).toBe('org_b');
    expect(callOf(routes.recoverAgentEndpoint).creating().key).toBe('');
  });

  it('If-Match is passed on unchanged', () => {
    expect(callOf(routes.updateAgentEndpoint, { ifMatch: '"1", "2"' }).ifMatch).toBe('"1", "2"');
  });

  it('strings and bytes are sent unchanged, other values as JSON', () => {
    const call = callOf(routes.getDelivery);
    expect(call.answer({ body: '{"ä":1}' }).body).toEqual(Buffer.from('{"ä":1}'));
    expect(call.answer({ body: Buffer.from([255, 0]) }).body).toEqual(Buffer.from([255, 0]));
    expect(call.answer({ body: { a: [1] } }).body).toEqual(Buffer.from('{"a":[1]}'));
    expect(call.answer({ body: '' })).toMatchObject({ etag: '', replayed: false });
    expect(call.answer({ body: '', etag: '"1"', replayed: true })).toMatchObject({ etag: '"1"', replayed: true });
  });
});
