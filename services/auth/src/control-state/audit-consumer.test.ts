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

describe('an act of another service', () => {
  it('keeps the event id, and the time in UTC', () => {
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
    ['no JSON', '{'],
    ['no object', '[]'],
    ['null', 'null'],
    ['no action', { ...act, action: undefined }],
    ['an actor that is no text', { ...act, actor_key_id: 1 }],
    ['a time that is none', { ...act, created_at: 'yesterday' }],
  ])('is unprocessable with %s', (_, payload) => {
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
  ])('%s of %s is kept: %s', (action, producer, kept) => {
    const kindly = () => read({ ...act, action }, `audit.v1.org_a.${producer}`);
    if (kept) expect(kindly()).toMatchObject({ action });
    else expect(kindly).toThrow(UnprocessableEventError);
  });

  it('is kept without a producer, as earlier releases published it', () => {
    expect(read(act, 'audit.v1.org_a')).toMatchObject({ action: 'agent.suspended' });
  });

  it('keeps the address and the user agent of the client, cut to 256 characters', () => {
    const { clientAddress, userAgent } = read({ ...act, client_address: '192.0.2.1', user_agent: 'x'.repeat(257) });
    expect([clientAddress, userAgent]).toEqual(['192.0.2.1', 'x'.repeat(256)]);
  });

  it.each([[undefined], [null], [[1]], ['x']])('takes a detail of %p for none', (detail) => {
    expect(read({ ...act, detail }).detail).toEqual({});
  });
});
