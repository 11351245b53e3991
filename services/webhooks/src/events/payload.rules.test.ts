import { payloadFor } from './payload.rules';

const data = {
  call_id: 'call_1',
  from: '+15005550001',
  to: '+15005550002',
  variables: { ssn: 'x' },
  metadata: { to: 'x' },
  status: 'ended',
  transfers: [{ to: '+15005550003', kind: 'cold' }],
};
const payload = JSON.stringify({ id: 'evt_1', data, resource_id: 'call_1' });
const reduced = JSON.stringify({
  id: 'evt_1',
  data: { call_id: 'call_1', status: 'ended', transfers: [{ kind: 'cold' }] },
  resource_id: 'call_1',
});

it.each([
  ['call.created', ['calls:read'], payload],
  ['call.created', ['campaigns:read', 'recordings:read', 'sms:read'], reduced],
  ['media.started', [], reduced],
  ['call.transcript.ready', ['recordings:read'], reduced],
  ['call.transcript.ready', ['recordings:read', 'calls:read'], payload],
  ['campaign.contact.completed', ['calls:read'], reduced],
  ['campaign.contact.completed', ['campaigns:read'], payload],
  ['sms.sent', [], payload],
])('%s to an endpoint with scopes %j is complete or redacted accordingly', (type, scopes, expected) =>
  expect(payloadFor(type, payload, scopes)).toBe(expected),
);

it('keeps the link that replaces a large resource', () => {
  const large = JSON.stringify({ id: 'evt_1', data: { url: '/v1/calls/call_1' } });
  expect(payloadFor('call.created', large, [])).toBe(large);
});
