import type { NavigationIneligibleReason } from '@parley/contract';
import type { AgentDocument, Navigation } from './agent-document.rules';
import { checkNavigationLimits, meansTheSame, navigationStatus } from './navigation.rules';

const bare: AgentDocument = {
  mode: 'hosted',
  voice_frontend: 'cascade',
  language_profiles: [],
  tools: [],
  recording_enabled: false,
  component_credential_bindings: {},
  metadata: {},
};

const names = (count: number): string[] => Array.from({ length: count }, (_, index) => `tool_${index}`);

describe('navigationStatus', () => {
  it.each<[Partial<AgentDocument>, NavigationIneligibleReason | null, NavigationIneligibleReason | null]>([
    [{}, null, null],
    [{ navigation: { enabled: null } }, null, null],
    [{ navigation: { enabled: true } }, null, null],
    [{ navigation: { enabled: false } }, null, 'turned_off'],
    [{ navigation: { enabled: false } }, 'not_released', 'turned_off'],
    [{}, 'languages_unreleased', 'languages_unreleased'],
    [{ tools: ['wait_on_hold'] }, 'no_language', 'no_language'],
    [{ tools: ['wait_on_hold'] }, null, 'tool_name_conflict'],
    [{ tools: [{ type: 'connection', connection_id: 'c', action: 'press_digits' }] }, null, 'tool_name_conflict'],
    [{ tools: names(29) }, null, null],
    [{ tools: names(30) }, null, 'tool_budget'],
  ])('%j with a voice stack that gives %s: %s', (change, stackReason, reason) => {
    const status = navigationStatus({ ...bare, ...change }, stackReason);
    expect(status).toMatchObject({ ineligible_reason: reason, eligible: reason === null, effective: reason === null });
  });

  it.each<[Navigation | undefined, object]>([
    [undefined, { enabled: null, max_hold_seconds: 600, max_navigation_seconds: 180 }],
    [
      { enabled: false, max_hold_seconds: 10 },
      { enabled: false, max_hold_seconds: 10, max_navigation_seconds: 180 },
    ],
    [
      { enabled: true, max_navigation_seconds: 900 },
      { enabled: true, max_hold_seconds: 600, max_navigation_seconds: 900 },
    ],
  ])('%j is returned with its defaults', (navigation, expected) => {
    expect(navigationStatus({ ...bare, navigation }, null)).toMatchObject(expected);
  });
});

describe('navigation limits against max_call_seconds', () => {
  it.each<[Navigation | undefined, number | undefined, boolean]>([
    [undefined, 60, true],
    [{ enabled: true }, 60, true],
    [{ enabled: true, max_hold_seconds: 1740 }, undefined, true],
    [{ enabled: true, max_hold_seconds: 1741 }, undefined, false],
    [{ enabled: null, max_hold_seconds: 1741 }, undefined, false],
    [{ enabled: false, max_hold_seconds: 3600 }, undefined, true],
    [{ enabled: true, max_navigation_seconds: 60 }, 60, true],
    [{ enabled: true, max_navigation_seconds: 61 }, 60, false],
  ])('%j with max_call_seconds %s is accepted: %s', (navigation, maxCall, accepted) => {
    const document = {
      ...bare,
      navigation,
      turn_taking: maxCall === undefined ? undefined : { max_call_seconds: maxCall },
    };
    for (const changed of ['navigation', 'turn_taking'] as const) {
      const check = () => checkNavigationLimits(document, changed);
      if (accepted) expect(check).not.toThrow();
      else
        expect(check).toThrow(
          expect.objectContaining({
            code: 'BadRequestError',
            message: expect.stringMatching(new RegExp(`^${changed}\\.`)),
          }),
        );
    }
  });
});

describe('equality of navigation sections', () => {
  it.each<[Navigation | undefined, Navigation | undefined, boolean]>([
    [undefined, { enabled: null }, true],
    [undefined, { enabled: true }, false],
    [{ enabled: true }, { enabled: true, max_hold_seconds: 600 }, true],
    [{ enabled: true }, { enabled: true, max_hold_seconds: 601 }, false],
  ])('%j equals %j: %s', (left, right, expected) => {
    expect(meansTheSame(left, right)).toBe(expected);
  });
});
