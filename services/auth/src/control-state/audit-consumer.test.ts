import { UnprocessableEventError } from '@parley/outbox';
import { auditRecordOf } from './audit-consumer';

const act = {
  organization_id: 'org_a',
  actor_key_id: 'key_a',
  action: 'agent.suspended',
  subject: 'agt_a',
  detail: { reason: 'fraud' },
  created_at: '2030-01-01T12:00:00+02:00',
};

const read = (payload: unknown, subject = 'audit.v1.org_a.agents') =>
  auditRecordOf({ id: 'aud_1', subject, payload: typeof payload === 'string' ? payload : JSON.stringify(payload) });

describe('an audit event of another service', () => {
  it('keeps the event id and converts the time to UTC', () => {
    expect(read(act)).toEqual({
      auditId: 'aud_1',
      organizationId: 'org_a',
      actorKeyId: 'key_a',
      action: 'agent.suspended',
      subject: 'agt_a',
      detail: { reason: 'fraud' },
      clientAddress: '',
      userAgent: '',
      createdAt: '2030-01-01T10:00:00.000Z',
    });
  });

  it.each<[string, unknown]>([
    ['invalid JSON', '{'],
    ['an array', '[]'],
    ['null', 'null'],
    ['no action', { ...act, action: undefined }],
    ['an actor_key_id that is not a string', { ...act, actor_key_id: 1 }],
    ['an invalid time', { ...act, created_at: 'yesterday' }],
  ])('is rejected as unprocessable: %s', (_, payload) => {
    expect(() => read(payload)).toThrow(UnprocessableEventError);
  });

  it.each([
    ['agent.suspended', 'agents', true],
    ['agent.suspended', 'telephony', false],
    ['agent.suspended', 'webhooks', false],
    ['workflow.published', 'agents', true],
    ['workflow.published', 'telephony', false],
    ['message_template.created', 'webhooks', false],
    ['agent_endpoint.updated', 'webhooks', true],
    ['agent_endpoint.updated', 'agents', false],
    ['extraction.replaced', 'insights', true],
    ['extraction.replaced', 'agents', false],
    ['simulation_run.started', 'insights', true],
    ['wallet.topped_up', 'telephony', true],
    ['wallet.topped_up', 'webhooks', false],
    ['api_key.minted', 'telephony', false],
    ['organization.suspended', 'agents', false],
    ['gateway_token.minted', 'webhooks', false],
  ])('%s from %s is recorded: %s', (action, producer, kept) => {
    const kindly = () => read({ ...act, action }, `audit.v1.org_a.${producer}`);
    if (kept) expect(kindly()).toMatchObject({ action });
    else expect(kindly).toThrow(UnprocessableEventError);
  });

  it('is not recorded if the subject names no producer', () => {
    expect(() => read(act, 'audit.v1.org_a')).toThrow(UnprocessableEventError);
  });

  it('keeps the client address and truncates the user agent to 256 characters', () => {
    const { clientAddress, userAgent } = read({ ...act, client_address: '192.0.2.1', user_agent: 'x'.repeat(257) });
    expect([clientAddress, userAgent]).toEqual(['192.0.2.1', 'x'.repeat(256)]);
  });

  it.each([[undefined], [null], [[1]], ['x']])('stores a detail of %p as an empty object', (detail) => {
    expect(read({ ...act, detail }).detail).toEqual({});
  });
});
