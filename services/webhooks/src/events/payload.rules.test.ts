import {
  asyncApiDocument,
  dataClassOf,
  EventEnvelope,
  eventTypes,
  openApiDocument,
  sampleOf,
  type EventType,
} from '@parley/contract';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
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

describe('the published schemas of events', () => {
  const validators: Record<string, (type: EventType) => ValidateFunction> = {};

  beforeAll(() => {
    const ajv = new Ajv2020({ strict: false });
    addFormats(ajv);
    for (const [name, document] of [
      ['openapi', openApiDocument()],
      ['asyncapi', asyncApiDocument()],
    ] as const)
      ajv.addSchema({ $id: name, components: document.components });
    validators.openapi = () => ajv.compile({ $ref: 'openapi#/components/schemas/Event' });
    validators.asyncapi = (type) =>
      ajv.compile({ $ref: `asyncapi#/components/messages/${type.replaceAll('.', '_')}_delivery/payload` });
  });

  /** An event about a resource with all of its fields, for example a call with a transfer. */
  const eventOf = (type: EventType): string =>
    JSON.stringify({ ...sampleOf(EventEnvelope, true), type, data: sampleOf(dataClassOf(type), true) });

  it.each(eventTypes)('accept %s as it is delivered, complete and redacted', (type) => {
    for (const scopes of [['calls:read', 'campaigns:read'], []]) {
      const delivered = JSON.parse(payloadFor(type, eventOf(type), scopes)) as unknown;
      for (const name of ['openapi', 'asyncapi']) {
        const validate = validators[name]?.(type);
        expect([name, validate?.(delivered), validate?.errors]).toEqual([name, true, null]);
      }
    }
  });

  it('describe a redacted delivery of a call with a transfer, which names no number', () => {
    const whole = JSON.parse(eventOf('call.completed')) as { data: { transfers: object[] } };
    const delivered = JSON.parse(payloadFor('call.completed', JSON.stringify(whole), [])) as typeof whole;
    expect(whole.data.transfers).toEqual([expect.objectContaining({ to: expect.any(String) as unknown })]);
    expect(delivered.data.transfers).toHaveLength(1);
    expect(delivered.data.transfers[0]).not.toHaveProperty('to');
  });
});
