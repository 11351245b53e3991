import { allRoutes, bodyMayBeAbsent, jsonSchemaOf, routes } from '@parley/contract';
import { RequestBody } from './request-body';

const nothing = Buffer.alloc(0);
const absent = allRoutes.filter(bodyMayBeAbsent);

describe('request bodies on routes that declare no body', () => {
  const own = { organization_id: 'org_a' };
  const workspace = { ...own, project_id: 'prj_a' };

  it.each([
    ['a write by id', routes.cancelCall, undefined],
    ['a write by id', routes.cancelCall, {}],
    ['a write by id', routes.cancelCall, workspace],
    ['a deletion', routes.deleteAgent, workspace],
    ['a read by id', routes.getCall, own],
    ['a list', routes.listCalls, own],
  ])('%s may repeat organization_id and project_id of the key', (_what, route, sent) => {
    const bytes = sent === undefined ? nothing : Buffer.from(JSON.stringify(sent));
    expect(() => RequestBody.parse(route, bytes).validateUndeclared()).not.toThrow();
  });

  it.each([
    ['a write by id', routes.cancelCall, { ...workspace, organisation_id: 'org_a' }, 'organisation_id'],
    ['a deletion', routes.deleteAgent, { constructor: 1 }, 'constructor'],
    ['a read by id', routes.getCall, workspace, 'project_id'],
    ['a list', routes.listCalls, { '': 1 }, ''],
  ])('%s refuses any other field as unknown_field', (_what, route, sent, path) => {
    const body = RequestBody.parse(route, Buffer.from(JSON.stringify(sent)));
    expect(() => body.validateUndeclared()).toThrow(
      expect.objectContaining({
        status: 400,
        fields: { errors: [expect.objectContaining({ path, code: 'unknown_field' })] },
      }),
    );
  });

  it('refuses an organization_id that is not a string', () => {
    const body = RequestBody.parse(routes.cancelCall, Buffer.from('{"organization_id":5}'));
    expect(() => body.validateUndeclared()).toThrow(
      expect.objectContaining({
        fields: { errors: [expect.objectContaining({ path: 'organization_id', code: 'type' })] },
      }),
    );
  });
});

describe('a request without a body', () => {
  const withBody = allRoutes.flatMap((route) =>
    route.body === undefined ? [] : [[route.id, route, route.body] as const],
  );

  it.each(withBody)('is accepted by %s if it is a POST by id whose body has no required field', (_id, route, cls) => {
    const parse = (): RequestBody => RequestBody.parse(route, nothing);
    const { required = [] } = jsonSchemaOf(cls) as { required?: readonly string[] };
    if (route.method === 'POST' && route.byId !== undefined && required.length === 0) expect(parse).not.toThrow();
    else expect(parse).toThrow(expect.objectContaining({ status: 400 }));
  });

  it.each([routes.publishWorkflow, routes.createChatSession, routes.duplicateCampaign])(
    'is accepted by $id',
    (route) => {
      expect(() => RequestBody.parse(route, nothing)).not.toThrow();
    },
  );

  it.each(absent.map((route) => [route.id, route] as const))('is read as {} by %s', (_id, route) => {
    const body = RequestBody.parse(route, nothing);
    expect(body.json).toEqual({});
    expect(body.document().json.toString()).toBe('{}');
  });

  it.each([
    ['a creation', routes.createAgent],
    ['an action with a required field', routes.resolveReview],
    ['an update', routes.updateAgent],
  ])('is refused with 400 BadRequestError for %s', (_what, route) => {
    expect(() => RequestBody.parse(route, nothing)).toThrow(expect.objectContaining({ code: 'BadRequestError' }));
  });
});
