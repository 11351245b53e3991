import { readFileSync } from 'node:fs';
import path from 'node:path';
import { errorCatalogue } from '@parley/errors';
import { eventTypes } from '../events';
import { allRoutes, carrierRoutes } from '../routes';
import { openApiDocument } from './document';
import { operationIdOf } from './operation';

const document = openApiDocument() as {
  paths: Record<string, Record<string, { operationId: string; security: Record<string, string[]>[] }>>;
  components: {
    schemas: Record<string, { additionalProperties?: boolean; properties: Record<string, object> }>;
    responses: Record<string, object>;
  };
};

describe('the OpenAPI document', () => {
  it('equals docs/openapi.json (written by npm run documents)', () => {
    const kept = readFileSync(path.resolve(__dirname, '../../../../docs/openapi.json'), 'utf8');
    expect(JSON.parse(kept)).toEqual(JSON.parse(JSON.stringify(document)));
  });

  it('has a server whose address is a variable, and a webhook whose body is one of the events by its type', () => {
    const { servers, webhooks, components } = openApiDocument() as {
      servers: { url: string; variables: Record<string, { default: string }> }[];
      webhooks: Record<string, { post: object }>;
      components: { schemas: { Event: { oneOf: object[]; discriminator: { mapping: Record<string, string> } } } };
    };
    expect(servers).toMatchObject([
      { url: '{base_url}', variables: { base_url: { default: 'http://127.0.0.1:8080' } } },
    ]);
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } };
    expect(webhooks).toMatchObject({ event: { post: { requestBody: { content } } } });
    const { oneOf, discriminator } = components.schemas.Event;
    expect(Object.keys(discriminator.mapping)).toEqual(eventTypes);
    expect(Object.values(discriminator.mapping).map(($ref) => ({ $ref }))).toEqual(oneOf);
  });

  it('defines the 5XX response of all operations once, in its components', () => {
    expect(document.components).toMatchObject({
      responses: {
        '5XX': {
          content: {
            'application/json': {
              schema: {
                oneOf: ['internal_error', 'overloaded'].map((code) => ({ $ref: `#/components/schemas/error.${code}` })),
              },
            },
          },
        },
      },
    });
  });

  it('contains every declared route with its scopes', () => {
    for (const route of allRoutes) {
      const operation = document.paths[route.path]?.[route.method.toLowerCase()];
      expect(operation).toMatchObject({
        operationId: operationIdOf(route.id),
        security: [
          { apiKey: route.scope === null ? [] : [route.scope, ...route.alsoScopes] },
          ...(route.orScope === undefined ? [] : [{ apiKey: [route.orScope] }]),
        ],
      });
    }
  });

  it('contains every carrier webhook with its form, signature scheme, XML response and errors, without an API key', () => {
    const ids = Object.values(document.paths).flatMap(({ parameters: _common, ...methods }) =>
      Object.values(methods).map((one) => one.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id, path: at, providers, forms, errors } of Object.values(carrierRoutes)) {
      const [form] = forms;
      if (form === undefined) throw new Error(`${id} has no form`);
      expect(document.paths[at]?.['post']).toMatchObject({
        operationId: operationIdOf(id),
        security: [{ carrierSignature: [] }],
        parameters: expect.arrayContaining([
          expect.objectContaining({
            name: 'provider',
            in: 'path',
            required: true,
            schema: { type: 'string', enum: [...providers] },
          }),
        ]) as unknown,
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: { $ref: `#/components/schemas/${form.name}` } },
          },
        },
        responses: Object.fromEntries([
          ['200', { $ref: '#/components/responses/TwiML' }],
          ...errors
            .filter((code) => code !== 'internal_error')
            .map((code) => [
              String(errorCatalogue[code].status),
              { $ref: expect.stringContaining('#/components/responses/') as unknown },
            ]),
        ]),
      });
      expect(document.components.responses.TwiML).toMatchObject({
        content: { 'text/xml': { schema: { type: 'string' } } },
      });
      expect(Object.keys(document.paths[at] ?? {})).toEqual(['post']);
      expect(document.components.schemas[form.name]).not.toHaveProperty('additionalProperties');
    }
  });

  it('sets additionalProperties: false for objects that refuse unknown fields', () => {
    const closed = Object.entries(document.components.schemas).filter(
      ([, schema]) => schema.additionalProperties === false,
    );
    expect(closed.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        'AgentLanguageProfileOverride',
        'AgentFollowCaller',
        'AgentOpening',
        'AgentTurnTaking',
        'AgentVoicePolish',
        'AgentAnswerDetection',
        'AgentNavigation',
      ]),
    );
  });

  it.each([
    [
      'AgentTurnTaking',
      'max_call_seconds',
      { minimum: 60, maximum: 1740, description: expect.stringContaining('Default: 1740.') as unknown },
    ],
    ['AgentTurnTaking', 'barge_in_speech_rms', { minimum: 100, maximum: 32000, deprecated: true }],
    [
      'AgentOpening',
      'silence_wait_seconds',
      { minimum: 1, maximum: 5, description: expect.stringContaining('Default: 2.') as unknown },
    ],
    [
      'AgentNavigation',
      'max_hold_seconds',
      { minimum: 10, maximum: 3600, description: expect.stringContaining('Default: 600.') as unknown },
    ],
    ['AgentLanguageProfileOverride', 'greeting', { maxLength: 1000 }],
  ])('%s.%s has its bounds', (schema, property, facts) => {
    expect(document.components.schemas[schema]?.properties[property]).toMatchObject(facts);
  });
});
