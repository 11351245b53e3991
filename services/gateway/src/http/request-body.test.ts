import { allRoutes, bodyMayBeAbsent, routes } from '@parley/contract';
import { RequestBody } from './request-body';

const nothing = Buffer.alloc(0);
const absent = allRoutes.filter(bodyMayBeAbsent);

describe('a request without a body', () => {
  it('is an act upon a record of which every field may be left out', () => {
    expect(absent.map(({ id }) => id)).toEqual([
      'rotate-agent-tool-secret',
      'suspend-agent',
      'preview-voice-stack',
      'create-workflow-draft',
      'publish-workflow',
      'arm-workflow-phone-pin',
      'rotate-agent-endpoint-secret',
      'suspend-organization',
      'verify-number',
      'create-test-call',
      'duplicate-campaign',
      'put-call-artifacts',
    ]);
  });

  it.each(absent.map((route) => [route.id, route] as const))('4 campaign actions: %s takes it for {}', (_id, route) => {
    const body = RequestBody.parse(route, nothing);
    expect(body.json).toEqual({});
    expect(body.document().json.toString()).toBe('{}');
  });

  it.each([
    ['a creation', routes.createAgent],
    ['an act with a field that is required', routes.resolveReview],
    ['a save', routes.updateAgent],
  ])('4 r2: of %s is 400 BadRequestError', (_what, route) => {
    expect(() => RequestBody.parse(route, nothing)).toThrow(expect.objectContaining({ code: 'BadRequestError' }));
  });
});
