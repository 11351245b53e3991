import { voiceStackRoute } from '@parley/contract';
import type { AgentDocument } from './agent-document.rules';
import { checkKeptSections } from './metadata.rules';

describe('a section in the metadata of a generic update', () => {
  const stored = { navigation: { enabled: false } } as AgentDocument;
  const refusal = (metadata: Record<string, unknown>): unknown => {
    try {
      return checkKeptSections(metadata, stored);
    } catch (error) {
      return error;
    }
  };

  it.each<[string, unknown]>([
    ['follow_caller', {}],
    ['follow_caller', null],
    ['opening', 'x'],
    ['opening', { first_speaker: 'both' }],
    ['opening', { first_speaker: 'agent' }],
    ['navigation', 5],
    ['navigation', { enabled: 'x' }],
    ['navigation', { enabled: true }],
  ])('%s: %j, which is not the stored one, is 400 and names the route that changes it', (name, value) => {
    expect(refusal({ [name]: value })).toMatchObject({
      code: 'BadRequestError',
      message: expect.stringContaining(voiceStackRoute) as string,
      fields: { errors: [{ path: `metadata.${name}`, code: 'wrong_route' }] },
    });
  });

  it.each([[null], [{}], [{ max_hold_seconds: 60 }]])(
    'navigation: %j without its switch is navigation_enabled_required, and names that route too',
    (navigation) => {
      expect(refusal({ navigation })).toMatchObject({
        code: 'navigation_enabled_required',
        status: 400,
        message: expect.stringContaining(voiceStackRoute) as string,
      });
    },
  );

  it.each([
    {},
    { navigation: { enabled: false } },
    { opening: {} },
    { follow_caller: { enabled: false } },
    { note: 5 },
  ])('%j is taken: it is what is stored', (metadata) => expect(refusal(metadata)).toBeUndefined());
});
