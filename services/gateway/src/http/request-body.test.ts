import { allRoutes, bodyMayBeAbsent, routes } from '@parley/contract';
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
  it('is accepted by the listed routes only, whose body fields are all optional', () => {
    expect(absent.map(({ id }) => id)).toEqual([
      'rotate-agent-tool-secret',
      'rotate-agent-secret',
      'suspend-agent',
      'preview-voice-stack',
      'create-workflow-draft',
      'publish-workflow',
      'arm-workflow-phone-pin',
      'create-simulation-run',
      // Another rule of this route refuses it with 400.
      'create-knowledge-document',
      'rotate-agent-endpoint-secret',
      'suspend-organization',
      'verify-number',
      'create-test-call',
      'create-chat-session',
      'create-demo',
      'duplicate-campaign',
      'put-call-artifacts',
    ]);
  });

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
