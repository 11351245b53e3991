import type { CarrierRoute } from '../routes/carrier-webhooks';
import { errorResponses } from './operation';

/** How the webhooks of carriers are believed, in place of a key. */
export const carrierSecurityScheme = {
  type: 'apiKey',
  in: 'header',
  name: 'X-Twilio-Signature',
  description:
    'As Twilio signs: HMAC-SHA1 over the address and the form, under the auth token of the account that the organization ' +
    'stored with POST /v1/carrier-credentials; the simulator signs with the token of this installation.',
} as const;

/** The operation of a carrier's webhook. */
export const carrierOperationOf = ({ id, providers, summary, form, query, errors }: CarrierRoute): object => ({
  operationId: id,
  tags: ['carriers'],
  summary,
  description:
    'For carriers: a signed form in place of a key. Sent again, it changes nothing. A maintenance window does not stand against it.',
  security: [{ carrierSignature: [] }],
  parameters: [
    { name: 'provider', in: 'path', required: true, schema: { type: 'string', enum: [...providers] } },
    ...Object.entries(query).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ],
  requestBody: {
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: { $ref: `#/components/schemas/${form.name}` } } },
  },
  responses: {
    200: {
      description: 'OK: what the carrier is to do, in TwiML',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
      content: { 'text/xml': { schema: { type: 'string' } } },
    },
    ...errorResponses(errors),
  },
});
