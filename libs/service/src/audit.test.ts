import { clientOrigin, type Caller } from '@parley/runtime';
import { auditEvent, auditEventBeforeTime, auditRecord } from './audit';

const caller: Caller = { keyId: 'key_a', organizationId: 'org_a', kind: 'customer', scopes: [] };
const act = { organizationId: 'org_a', action: 'wallet.topped_up', subject: 'wal_a', detail: { amount: 1 } };
const at = new Date('2030-01-01T00:00:00.000Z');

describe('an audit event', () => {
  it('contains actor, client address, user agent and time', () => {
    const actor = { caller, client: clientOrigin('192.0.2.1', 'curl/8'), traceparent: '00-trace' };
    const { id, stream, subject, payload, traceparent } = auditEvent(act, at, actor);
    expect({ stream, subject, traceparent }).toEqual({
      stream: 'AUDIT',
      subject: 'audit.v1.org_a',
      traceparent: '00-trace',
    });
    expect(id).toMatch(/^aud_/);
    expect(JSON.parse(payload)).toEqual({
      organization_id: 'org_a',
      actor_key_id: 'key_a',
      action: 'wallet.topped_up',
      subject: 'wal_a',
      detail: { amount: 1 },
      client_address: '192.0.2.1',
      user_agent: 'curl/8',
      created_at: '2030-01-01T00:00:00.000Z',
    });
  });

  it('has no actor and no client if the platform itself acts', () => {
    expect(auditRecord(act, {})).toMatchObject({ actorKeyId: '', clientAddress: '', userAgent: '' });
  });

  it('is ordered by the revision of its subject, if it has one', () => {
    const { payload } = auditEvent({ ...act, revision: 7 }, at, {});
    expect(JSON.parse(payload)).toMatchObject({ resource_id: 'wal_a', resource_seq: 7 });
  });

  it('has the subject of the platform if there is no organization', () => {
    expect(auditEvent({ ...act, organizationId: '' }, at, {}).subject).toBe('audit.v1.platform');
  });

  it('is equal if a SQL statement adds the time', () => {
    const { id, payload, ...rest } = auditEventBeforeTime(act, { caller });
    const whole = { ...rest, payload: JSON.parse(`${payload}${at.toISOString()}"}`) as unknown };
    const event = auditEvent(act, at, { caller });
    expect(id).toMatch(/^aud_/);
    expect(whole).toEqual({
      stream: event.stream,
      subject: event.subject,
      payload: JSON.parse(event.payload) as unknown,
    });
  });
});
