import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Parser } from '@asyncapi/parser';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { eventTypes, withheldEventFields } from '../events';
import { asyncApiDocument } from './document';

describe('the AsyncAPI document', () => {
  const document = asyncApiDocument() as { channels: Record<string, { address: string | null }> };

  it('equals docs/asyncapi.json (written by npm run documents)', () => {
    const kept = readFileSync(path.resolve(__dirname, '../../../../docs/asyncapi.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('is accepted by the AsyncAPI parser without errors and warnings', async () => {
    const { document: parsed, diagnostics } = await new Parser().parse(JSON.stringify(document));
    expect(
      diagnostics
        .filter(({ severity }) => Number(severity) <= 1)
        .map(({ code, message, path: at }) => ({ code, message, at })),
    ).toEqual([]);
    expect(parsed).toBeDefined();
  });

  it('contains exactly the declared event types', () => {
    const addresses = Object.values(document.channels).flatMap(({ address }) => (address === null ? [] : [address]));
    expect(addresses).toEqual(eventTypes.map((type) => `events.v1.{organization_id}.${type}`));
  });
});

it.each(eventTypes)('the AsyncAPI document contains an example of %s that matches its payload schema', (type) => {
  const { components } = JSON.parse(JSON.stringify(asyncApiDocument())) as {
    components: { messages: Record<string, { payload: object; examples: { payload: unknown }[] }> };
  };
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema({ $id: 'document', components });
  const shown = type.replaceAll('.', '_');
  for (const name of [shown, `${shown}_delivery`]) {
    const { examples } = components.messages[name] ?? { examples: [] };
    const validate = ajv.compile({ $ref: `document#/components/messages/${name}/payload` });
    expect(examples.map(({ payload }) => [validate(payload), validate.errors])).toEqual([[true, null]]);
    const withData = (data: object): boolean => validate({ ...(examples[0]?.payload as object), data });
    expect([withData({ name: 1 }), withData({ url: '/v1/calls/call_01kc' })]).toEqual([false, true]);
  }
});

it('the AsyncAPI document has delivery schemas that accept events without phone numbers, variables and metadata', () => {
  const { components } = JSON.parse(JSON.stringify(asyncApiDocument())) as {
    components: { messages: Record<string, { examples: { payload: { data: Record<string, unknown> } }[] }> };
  };
  const ajv = new Ajv2020({ strict: false });
  addFormats(ajv);
  ajv.addSchema({ $id: 'document', components });
  const without = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
      withheldEventFields.includes(name) ? undefined : inner,
    ) as unknown;
  for (const type of ['call_completed', 'campaign_launched', 'campaign_contact_completed']) {
    const [{ payload } = { payload: { data: {} } }] = components.messages[type]?.examples ?? [];
    const withheld = { ...payload, data: without(payload.data) };
    const accepts = (name: string) => ajv.validate({ $ref: `document#/components/messages/${name}/payload` }, withheld);
    expect([accepts(type), accepts(`${type}_delivery`)]).toEqual([false, true]);
  }
});

it('the AsyncAPI document describes every property, and defines the data of every event', () => {
  const { components } = asyncApiDocument() as {
    components: {
      messages: Record<
        string,
        { payload: { allOf: [object, { properties: { data: { oneOf: { $ref: string }[] } } }] } }
      >;
      schemas: Record<string, { description?: string; properties?: Record<string, { description?: string }> }>;
    };
  };
  const bare = Object.entries(components.schemas).flatMap(([name, { description, properties = {} }]) => [
    ...(description === undefined || description === '' ? [name] : []),
    ...Object.entries(properties)
      .filter(([, property]) => (property.description ?? '') === '')
      .map(([property]) => `${name}.${property}`),
  ]);
  expect(bare).toEqual([]);
  for (const message of Object.values(components.messages)) {
    const { oneOf } = message.payload.allOf[1].properties.data;
    for (const { $ref } of oneOf) expect(components.schemas).toHaveProperty($ref.replace('#/components/schemas/', ''));
  }
});
