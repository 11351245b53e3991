import { isErrorCode } from '@parley/errors';
import { Agent } from '../objects/agent';
import { CallListQuery } from '../objects/call';
import { RouteQuery } from '../objects/page';
import type { Class } from '../rules/class-facts';
import { planOf } from '../rules/plan';
import { validate } from '../rules/validate';
import { jsonSchemaOf, jsonSchemasOf } from '../schema/json-schema-of';
import { isScope } from '../scopes';
import { gatewayRoute, routesOf } from './define';
import { allRoutes, routes, type AnyRoute, type BodyOf, type PathParams, type QueryOf } from './index';

const idsWhere = (holds: (route: AnyRoute) => boolean): string[] => allRoutes.filter(holds).map((route) => route.id);
const declare = routesOf('agents');

describe.each(allRoutes.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  it('has an existing scope and existing error codes', () => {
    expect(route.scope === null || isScope(route.scope)).toBe(true);
    expect(route.errors.every(isErrorCode)).toBe(true);
  });

  it('accepts organization_id in its query', () => {
    expect(new route.query()).toBeInstanceOf(RouteQuery);
    expect(Object.keys(jsonSchemaOf(route.query)['properties'] as object)).toContain('organization_id');
  });

  it('has a body, Idempotency-Key, If-Match and status that fit its method', () => {
    if (route.method === 'GET' || route.method === 'DELETE') expect(route.body).toBeUndefined();
    if (route.creates) expect(route.method).toBe('POST');
    expect(route.creates ? [201, 202] : [200]).toContain(route.answer.status);
    if (route.conditional) expect(['PATCH', 'PUT', 'POST', 'DELETE']).toContain(route.method);
    if (route.conditional) expect(route.byId).toBeDefined();
    if (route.method === 'GET') expect([route.newWork, route.creates]).toEqual([false, false]);
    expect(route.errors.includes('platform_maintenance')).toBe(route.newWork !== false);
  });

  it('declares an answer to foreign ids that fits reads or writes', () => {
    const kinds =
      route.byId === undefined
        ? ['none']
        : route.method === 'GET'
          ? ['read-404', 'organization-403']
          : ['write-403', 'write-404', 'organization-403'];
    expect(kinds).toContain(route.foreign);
  });

  it('requires a :read scope for GET, and another one for other methods', () => {
    // A gateway that is authorized to take a call also gets the call's configuration.
    if (route.scope === 'calls:authorize') expect(route.audience).toContain('hosted');
    // Any valid credential may read itself, create a session with at most its own rights, and end that session.
    else if (route.scope === null) expect(['get-me', 'create-session', 'end-session']).toContain(route.id);
    // A search is a read although it has a body.
    else if (route.id === 'query-knowledge-base') expect(route.scope).toBe('knowledge:read');
    else expect(route.scope.endsWith(':read')).toBe(route.method === 'GET');
  });
});

it('route ids are unique, and so are method and path', () => {
  expect(new Set(idsWhere(() => true)).size).toBe(allRoutes.length);
  expect(new Set(allRoutes.map(({ method, path }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`)).size).toBe(
    allRoutes.length,
  );
});

it('the operation id of a route is its name in kebab case', () => {
  for (const [name, { id }] of Object.entries(routes))
    expect(id.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())).toBe(name);
  expect(routes.armWorkflowPhonePin.id).toBe('arm-workflow-phone-pin');
});

it('a route that writes does not compile without newWork or audit, nor one that reads with them', () => {
  const facts = { summary: 'X', scope: null, answer: Agent } as const;
  const write = declare('POST', '/v1/x', { ...facts, newWork: true, audit: 'x.changed' });
  // @ts-expect-error -- newWork is absent.
  const undecided = declare('POST', '/v1/x', { ...facts, audit: false });
  // @ts-expect-error -- audit is absent.
  const unrecorded = declare('POST', '/v1/x', { ...facts, newWork: false });
  // @ts-expect-error -- A read is never new work.
  const read = declare('GET', '/v1/x', { ...facts, newWork: false });
  // @ts-expect-error -- A read is never recorded.
  const recorded = declare('GET', '/v1/x', { ...facts, audit: 'x.read' });
  // @ts-expect-error -- The gateway answers a route by an RPC, which is absent.
  gatewayRoute('GET', '/v1/x', facts);
  expect([write.newWork, undecided.newWork, read.newWork]).toEqual([true, false, false]);
  expect([write.audit, unrecorded.audit, recorded.audit]).toEqual([['x.changed'], [], ['x.read']]);
});

it('only the update of an agent is new work depending on its body', () => {
  expect(idsWhere((route) => route.newWork === 'unless-inactive-only')).toEqual(['update-agent']);
});

it('writes under /v1/agents are new work, except the listed ones', () => {
  const continuing = idsWhere(
    ({ path, method, newWork }) => isUnder('/v1/agents', path) && method !== 'GET' && newWork === false,
  );
  expect(continuing.sort()).toEqual([
    'arm-workflow-phone-pin',
    'create-demo',
    'create-extraction-rerun',
    'delete-demo',
    'disarm-workflow-phone-pin',
    'preview-voice-stack',
    'reinstate-agent',
    'rotate-agent-secret',
    'rotate-agent-tool-secret',
    'suspend-agent',
  ]);
});

it('no other write is new work, except the listed ones', () => {
  const refused = idsWhere(({ path, newWork }) => !isUnder('/v1/agents', path) && newWork !== false);
  expect(refused.sort()).toEqual([
    'create-agent-endpoint',
    'create-call',
    'create-message',
    'create-simulation-run',
    'delete-agent-endpoint',
    'launch-campaign',
    'resume-campaign',
    'take-chat-turn',
  ]);
});

it('every PUT, PATCH or DELETE of what is read with an ETag, or of a part of it, accepts If-Match, except the listed ones', () => {
  const unconditional = idsWhere(
    (route) =>
      ['PUT', 'PATCH', 'DELETE'].includes(route.method) && !route.conditional && nearestRead(route.path)?.etag === true,
  );
  expect(unconditional.sort()).toEqual([
    'delete-component-credential',
    'delete-knowledge-document',
    'delete-workflow-draft',
    'erase-call',
    'put-knowledge-document-content',
    'put-verification-document',
    'replace-component-credential',
    'save-workflow-draft',
    'set-agent-knowledge-bases',
    'set-maintenance',
    'unpublish-workflow',
    'update-organization',
  ]);
});

it('every POST that creates a record accepts an Idempotency-Key', () => {
  expect(idsWhere(({ id, creates }) => /^(create|mint|add|duplicate)-/.test(id) && !creates)).toEqual([]);
  expect(idsWhere((route) => route.creates)).toEqual(
    expect.arrayContaining(['recover-agent-endpoint', 'test-agent-endpoint', 'top-up-wallet']),
  );
});

it('exactly the listed writes answer 403 to foreign ids', () => {
  expect(idsWhere((route) => route.foreign === 'write-403').sort()).toEqual([
    'delete-agent',
    'revoke-api-key',
    'save-voice-stack',
    'update-agent',
    'update-agent-endpoint',
  ]);
});

it('every action of the audit log is a kind of record and what was done to it, in lower case', () => {
  const actions = allRoutes.flatMap(({ audit }): readonly string[] => audit);
  expect(actions.filter((action) => !/^[a-z]+(_[a-z]+)*\.[a-z]+(_[a-z]+)*$/.test(action))).toEqual([]);
});

const isUnder = (base: string, path: string): boolean => path === base || path.startsWith(`${base}/`);

/** The read of a path, otherwise of the nearest path above it. */
function nearestRead(path: string): AnyRoute | undefined {
  const read = allRoutes.find((route) => route.method === 'GET' && route.path === path);
  return read ?? (path.includes('/') ? nearestRead(path.slice(0, path.lastIndexOf('/'))) : undefined);
}

/** The names that a body accepts: those of its fields, and those of a read of the same resource. */
function acceptedNames(cls: Class): ReadonlySet<string> {
  const { byName, facts } = planOf(cls);
  return new Set([...byName.keys(), ...facts.ignored, ...facts.elsewhere.keys()]);
}

/** The names of the fields in the record that a route returns; for a list, in one of its items. */
const namesRead = ({ answer }: AnyRoute): readonly string[] => planOf(answer.class).fields.map(({ name }) => name);

const withBody = allRoutes.flatMap((route) => (route.body === undefined ? [] : [{ ...route, body: route.body }]));

it.each(withBody.map((route) => [route.id, route.body] as const))(
  'the body of %s refuses an unknown field',
  (_id, body) => {
    expect(() => validate(body, { no_such_field: 1 })).toThrow(
      expect.objectContaining({
        status: 400,
        fields: {
          errors: expect.arrayContaining([expect.objectContaining({ path: 'no_such_field', code: 'unknown_field' })]),
        },
      }),
    );
  },
);

const rewriting = withBody.filter(({ method }) => method === 'PATCH' || method === 'PUT');

it.each(rewriting.map((route) => [route.id, route] as const))(
  'the body of %s accepts every field that the route returns',
  (_id, route) => {
    const accepted = acceptedNames(route.body);
    expect(namesRead(route).filter((name) => !accepted.has(name))).toEqual([]);
  },
);

it('the body of a write by id may repeat organization_id (WorkspaceNames, OrganizationName); the listed ones may not', () => {
  const refusing = withBody.filter(
    ({ byId, body }) => byId !== undefined && !acceptedNames(body).has('organization_id'),
  );
  expect(refusing.map(({ id }) => id).sort()).toEqual([
    'create-test-call',
    'import-simulation-scenario',
    'report-turns',
    'request-hand-over',
  ]);
});

it('operator scopes are required only on routes for operators', () => {
  const wrong = allRoutes.filter(
    (route) => route.scope?.startsWith('operator:') && route.audience.some((kind) => kind !== 'operator'),
  );
  expect(wrong).toEqual([]);
});

it('routes for hosted workers and the hosted gateway require one of their scopes', () => {
  const scopes = ['worker_jobs:claim', 'worker_jobs:heartbeat', 'calls:authorize', 'gateways:report'];
  const hosted = allRoutes.filter(({ audience }) => audience.includes('hosted'));
  expect(hosted.length).toBeGreaterThan(0);
  expect(hosted.filter(({ scope }) => !scopes.includes(scope ?? ''))).toEqual([]);
});

it('each class has a unique schema name', () => {
  const classes = allRoutes.flatMap((route) => [route.query, route.answer.class, ...(route.body ? [route.body] : [])]);
  const byName = new Map(classes.map((cls) => [cls.name, cls]));
  expect(classes.filter((cls) => byName.get(cls.name) !== cls)).toEqual([]);
  expect(Object.keys(jsonSchemasOf(classes)).length).toBeGreaterThan(byName.size - 1);
});

it('the types of body, query and path parameters are derived from the declaration', () => {
  const body: BodyOf<typeof routes.createAgent> = new Agent();
  const query: QueryOf<typeof routes.listCalls> = new CallListQuery();
  const parameter: PathParams<(typeof routes.updateAgent)['path']> = 'agent_id';
  expect([body, query, parameter]).toHaveLength(3);
});

it.each([
  'arm-workflow-phone-pin',
  'confirm-top-up',
  'create-erasure',
  'create-session',
  'create-suppressions',
  'end-session',
  'erase-call',
  'mint-api-key',
  'mint-gateway-token',
  'open-worker-credentials',
  'remove-suppression',
  'resolve-campaign-review',
  'resolve-review',
  'revoke-api-key',
  'revoke-gateway-token',
  'rotate-agent-endpoint-secret',
  'rotate-agent-secret',
  'rotate-agent-tool-secret',
  'set-controls',
  'set-policy',
  'set-retention',
  'top-up-wallet',
])('%s is not an MCP tool, because a person decides it or because it returns a secret', (id) => {
  expect(allRoutes.find((route) => route.id === id)).toMatchObject({ mcp: false });
});

it('exactly the routes whose work takes seconds are asked alone, with a long deadline', () => {
  expect(idsWhere(({ waits }) => waits).sort()).toEqual([
    'claim-simulation-jobs',
    'claim-worker-jobs',
    'complete-gateway-recording',
    'complete-recording',
    'create-chat-session',
    'create-verification',
    'end-chat-session',
    'get-verification',
    'hang-up-call',
    'list-provider-models',
    'list-voices',
    'mute-in-call',
    'pause-recording',
    'press-in-call',
    'preview-voice',
    'report-simulation-job',
    'resume-recording',
    'say-in-call',
    'take-chat-turn',
    'take-commands',
    'test-component-credential',
    'transfer-call',
    'transfer-job',
  ]);
});

it('organization_id is required in exactly three bodies', () => {
  const needing = idsWhere(({ body }) => {
    const { required = [] } = (body === undefined ? {} : jsonSchemaOf(body)) as { required?: readonly string[] };
    return required.includes('organization_id');
  });
  expect(needing.sort()).toEqual(['create-agent', 'create-agent-endpoint', 'mint-api-key']);
});
