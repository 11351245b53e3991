import { AppError } from '@parley/errors';
import { createAddressPolicy } from '@parley/service';
import { AgentsPlatform, type Customer, type Json } from './agents-platform';

const tool = (fields: Json = {}): Json => ({
  type: 'webhook',
  name: 'crm',
  description: 'Looks a customer up',
  parameters: { type: 'object' },
  url: 'https://tools.example.com/crm',
  method: 'POST',
  ...fields,
});

const code = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'accepted',
    (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error)),
  );

/** Hosts that are rejected in production, in all notations. */
const refused = [
  '169.254.169.254',
  '10.0.0.1',
  '192.168.1.1',
  '127.0.0.1',
  '127.1',
  '168.63.129.16',
  '0',
  '[::]',
  '[::1]',
  '[::ffff:169.254.169.254]',
  '[fd00:ec2::254]',
  '0xa9fea9fe',
  '2852039166',
  'localhost',
];

describe.each([
  ['production', createAddressPolicy({ development: false }), '400 BadRequestError'],
  ['development', createAddressPolicy({ development: true }), 'accepted'],
])('addresses in agents and tools in %s', (_profile, policy, loopback) => {
  let platform: AgentsPlatform;
  let customer: Customer;
  let agentId: string;

  beforeAll(async () => {
    platform = await AgentsPlatform.start(undefined, { policy });
    customer = platform.customer();
    agentId = await customer.agent();
  });
  afterAll(() => platform.stop());

  const isLoopback = (host: string): boolean => ['127.0.0.1', '127.1', '[::1]', 'localhost'].includes(host);

  it.each(refused)('%s is checked wherever an address is accepted', async (host) => {
    const expected = isLoopback(host) ? loopback : '400 BadRequestError';
    const [http, websocket] = [`https://${host}/a`, `wss://${host}/a`];
    const bodies: Json[] = [{ webhook_url: http }, { audio_stream_url: websocket }, { tools: [tool({ url: http })] }];
    for (const body of bodies) {
      const fresh = await customer.agent();
      expect(await code(customer.create(body))).toBe(expected);
      expect(await code(customer.update(fresh, body))).toBe(expected);
    }
    const fresh = await customer.agent();
    expect(await code(customer.preview(fresh, { tools: [tool({ url: http })] }))).toBe(expected);
    expect(await code(customer.save(fresh, { tools: [tool({ url: http })] }))).toBe(expected);
  });

  it('accepts public names and addresses', async () => {
    for (const host of ['tools.example.com', '8.8.8.8', '[2606:4700::1111]']) {
      const body = {
        webhook_url: `https://${host}/`,
        audio_stream_url: `wss://${host}/`,
        tools: [tool({ url: `https://${host}/` })],
      };
      expect(await code(customer.create(body))).toBe('accepted');
      expect(await code(customer.update(agentId, body))).toBe('accepted');
    }
  });

  it.each([
    [{ type: 'object' }, 'accepted'],
    [{ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } }, required: ['a'] }, 'accepted'],
    [{ type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }, 'accepted'],
    [{ type: 'object', properties: { a: { type: 'array', items: [{ type: 'string' }] } } }, 'accepted'],
    [{}, '400 BadRequestError'],
    [{ type: 'string' }, '400 BadRequestError'],
    [{ type: ['object', 'null'] }, '400 BadRequestError'],
    [{ type: 'object', properties: 5 }, '400 BadRequestError'],
    [{ type: 'object', required: 'a' }, '400 BadRequestError'],
    [{ type: 'object', properties: { a: { type: 'text' } } }, '400 BadRequestError'],
    [{ type: 'object', properties: { a: { $ref: 'https://example.com/schema.json' } } }, '400 BadRequestError'],
    [{ type: 'object', properties: { a: { $dynamicRef: 'other.json#a' } } }, '400 BadRequestError'],
  ])('tool parameters %j: %s', async (parameters, expected) => {
    expect(await code(customer.create({ tools: [tool({ parameters })] }))).toBe(expected);
    expect(await code(customer.save(agentId, { tools: [tool({ name: 'next', parameters })] }))).toBe(expected);
  });
});
