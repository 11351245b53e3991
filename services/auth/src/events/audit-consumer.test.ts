import { PoisonError } from '@parley/outbox';
import { auditRecordOf } from './audit-consumer';

const act = {
  organization_id: 'org_a',
  actor_key_id: 'key_a',
  action: 'agent.suspended',
  subject: 'agt_a',
  detail: { reason: 'fraud' },
  created_at: '2030-01-01T12:00:00+02:00',
};

const read = (payload: unknown) =>
  auditRecordOf({ id: 'aud_1', payload: typeof payload === 'string' ? payload : JSON.stringify(payload) });

describe('an act of another service', () => {
  it('keeps the event id, and the time in UTC', () => {
    expect(read(act)).toEqual({
      auditId: 'aud_1',
      organizationId: 'org_a',
      actorKeyId: 'key_a',
      action: 'agent.suspended',
      subject: 'agt_a',
      detail: { reason: 'fraud' },
      createdAt: '2030-01-01T10:00:00.000Z',
    });
  });

  it.each<[string, unknown]>([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no action', { ...act, action: undefined }],
    ['an actor that is no text', { ...act, actor_key_id: 1 }],
    ['a time that is none', { ...act, created_at: 'yesterday' }],
  ])('is poison with %s', (_, payload) => {
    expect(() => read(payload)).toThrow(PoisonError);
  });

  it.each([[undefined], [null], [[1]], ['x']])('takes a detail of %p for none', (detail) => {
    expect(read({ ...act, detail }).detail).toEqual({});
  });
});
