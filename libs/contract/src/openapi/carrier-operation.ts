import { carrierNames, carriers, type CarrierName } from '../carriers';
import { limits } from '../limits';
import type { CarrierRoute } from '../routes/carrier-webhooks';
import type { Class } from '../rules/class-facts';
import { sampleOf } from '../schema/sample';
import { errorResponses, operationIdOf, type Shared } from './operation';

/** How the webhooks of carriers are authenticated; they use no API key. Carriers with the same signature share one scheme. */
export const carrierSecuritySchemes: Readonly<Record<string, object>> = Object.fromEntries(
  carrierNames.map((carrier) => {
    const { scheme, header, description } = carriers[carrier].signature;
    return [scheme, { type: 'apiKey', in: 'header', name: header, description }];
  }),
);

const schemeOf = (carrier: CarrierName): string => carriers[carrier].signature.scheme;

const formSchema = (forms: readonly Class[]): object => {
  const [first, ...others] = forms.map(({ name }) => ({ $ref: `#/components/schemas/${name}` }));
  return others.length === 0 ? { ...first } : { oneOf: [first, ...others] };
};

const formExample = ([form]: readonly Class[]): object =>
  form === undefined ? {} : { examples: { request: { value: sampleOf(form) } } };

/** The operation of a carrier's webhook. */
export const carrierOperationOf = (
  { id, providers, summary, forms, query, errors }: CarrierRoute,
  shared: Shared,
): object => ({
  operationId: operationIdOf(id),
  tags: ['carriers'],
  summary,
  description: 'For carriers.',
  security: [...new Set(providers.map(schemeOf))].map((scheme) => ({ [scheme]: [] })),
  parameters: [
    {
      name: 'provider',
      in: 'path',
      required: true,
      description: 'The carrier that asks.',
      schema: { type: 'string', enum: [...providers] },
    },
    ...Object.entries(query).map(([name, description]) => ({
      name,
      in: 'query',
      required: false,
      description,
      schema: { type: 'string' },
    })),
  ],
  requestBody: {
    description: `At most ${limits.carrierFormBytes} bytes.`,
    required: true,
    content: { 'application/x-www-form-urlencoded': { schema: formSchema(forms), ...formExample(forms) } },
  },
  responses: {
    200: shared.responses.add('TwiML', {
      description: 'OK: what the carrier is to do, in TwiML',
      content: {
        'text/xml': { schema: { type: 'string' }, examples: { answer: { value: '<Response><Hangup/></Response>' } } },
      },
    }),
    ...errorResponses(errors, shared),
  },
});
