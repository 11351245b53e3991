import { eventTypes } from '@parley/contract';
import { AppError } from '@parley/errors';
import { applyChange, type Endpoint } from './endpoint.rules';
import { requireDestinationScopes, requireSubscriptionScopes, subscriptionAtCreation } from './subscription.rules';

const codeOf = (work: () => void): string => {
  try {
    work();
    return 'allowed';
  } catch (error) {
    return error instanceof AppError ? `${error.code}: ${error.message}` : 'not an AppError';
  }
};

describe('subscriptions', () => {
  it('an omitted or empty list at creation gives the default event types', () => {
    const expected = [
      'call.created',
      'call.answered',
      'media.started',
      'call.ended',
      'call.completed',
      'call.failed',
      'call.canceled',
    ];
    expect([...subscriptionAtCreation(undefined)].sort()).toEqual([...expected].sort());
    expect([...subscriptionAtCreation([])].sort()).toEqual([...expected].sort());
    expect(subscriptionAtCreation(['sms.sent'])).toEqual(['sms.sent']);
  });

  it.each([
    ['sms.received', 'sms:read'],
    ['sms.sent', 'sms:read'],
    ['sms.delivery_updated', 'sms:read'],
    ['sms.translation.ready', 'sms:read'],
    ['sms.translation.failed', 'sms:read'],
    ['call.extraction.ready', 'recordings:read'],
  ])('%s requires %s', (type, scope) => {
    expect(codeOf(() => requireSubscriptionScopes([type], ['agents:write']))).toBe(
      `ForbiddenError: missing required scope: ${scope}`,
    );
    expect(codeOf(() => requireSubscriptionScopes([type], [scope]))).toBe('allowed');
  });

  it('other types require no additional scope', () => {
    const others = eventTypes.filter((type) => !type.startsWith('sms.') && type !== 'call.extraction.ready');
    expect(codeOf(() => requireSubscriptionScopes(others, []))).toBe('allowed');
  });

  it('ignores values that are not lists, which the field validation rejects', () => {
    for (const events of [undefined, null, 'sms.received', 5, {}]) {
      expect(codeOf(() => requireSubscriptionScopes(events, []))).toBe('allowed');
    }
  });

  it.each([
    [[], 'ForbiddenError: missing required scope: sms:read'],
    [['recordings:read'], 'ForbiddenError: missing required scope: sms:read'],
    [['sms:read'], 'ForbiddenError: missing required scope: recordings:read'],
    [['sms:read', 'recordings:read'], 'allowed'],
  ])('changing the destination with the scopes %j', (scopes, expected) => {
    expect(codeOf(() => requireDestinationScopes(scopes))).toBe(expected);
  });
});

describe('applyChange', () => {
  const stored: Endpoint = {
    id: 'ep_1',
    organizationId: 'org_1',
    projectId: 'prj_1',
    name: 'mine',
    webhookUrl: 'https://a.example/',
    audioStreamUrl: 'wss://a.example/',
    events: ['call.created', 'call.ended'],
    status: 'parked',
    maxPerSecond: null,
    payloadScopes: ['calls:read'],
    destVersion: 3,
    generation: 0,
    revision: 7,
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
  };

  it('sending back the values as read is no change', () => {
    const { name, webhookUrl, audioStreamUrl, events } = stored;
    const same = applyChange(stored, { name, webhookUrl, audioStreamUrl, events: [...events].reverse() });
    expect(same).toMatchObject({ changed: false, destinationChanged: false, unsubscribed: [] });
    expect(applyChange(stored, {}).changed).toBe(false);
  });

  it('a new webhook or audio address is a new destination and makes a parked endpoint active', () => {
    for (const change of [{ webhookUrl: 'https://b.example/' }, { audioStreamUrl: 'wss://b.example/' }]) {
      const changed = applyChange(stored, change);
      expect(changed).toMatchObject({ changed: true, destinationChanged: true });
      expect(changed.endpoint).toMatchObject({ destVersion: 4, status: 'active', ...change });
    }
  });

  it('other read scopes of the writing key are a change', () => {
    expect(applyChange(stored, { payloadScopes: ['calls:read'] }).changed).toBe(false);
    for (const payloadScopes of [[], ['calls:read', 'campaigns:read']]) {
      expect(applyChange(stored, { payloadScopes })).toMatchObject({ changed: true, endpoint: { payloadScopes } });
    }
  });

  it('replaces the whole list of event types and returns the removed ones', () => {
    const changed = applyChange(stored, { events: ['call.ended', 'sms.sent'] });
    expect(changed).toMatchObject({ changed: true, destinationChanged: false, unsubscribed: ['call.created'] });
    expect(changed.endpoint).toMatchObject({ events: ['call.ended', 'sms.sent'], status: 'parked', destVersion: 3 });
  });
});
