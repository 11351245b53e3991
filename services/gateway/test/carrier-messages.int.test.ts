import { badRequest, internal, notFound, unauthorized } from '@parley/errors';
import { TestGateway } from './test-gateway';

const form = 'MessageSid=SM1&Body=Gr%C3%BC%C3%9Fe&To=%2B14155550100';
const markup = { body: '<Response></Response>' };
const signature = `${'s'.repeat(27)}=`;
const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature };
const publicUrl = 'https://voice.example';

describe('carrier webhooks for messages', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await TestGateway.start({ publicUrl });
  });
  afterAll(() => gateway.stop());
  afterEach(() => {
    gateway.services.overrides = {};
    gateway.services.received.length = 0;
  });

  const failing = (error: () => Error) => {
    gateway.services.overrides = {
      telephony: {
        async receiveCarrierMessage() {
          throw error();
        },
      },
    };
  };
  const post = (path: string, body: string | Buffer = form, more: Record<string, string> = {}) =>
    gateway.request('POST', path, { headers: { ...headers, ...more }, body });

  it.each([
    ['/v1/carriers/twilio/messages', 'receiveCarrierMessage', 'twilio'],
    ['/v1/carriers/simulator/messages', 'receiveCarrierMessage', 'simulator'],
    ['/v1/carriers/twilio/statuses?message_id=msg_1', 'receiveCarrierReport', 'twilio'],
    ['/v1/carriers/simulator/statuses', 'receiveCarrierReport', 'simulator'],
  ])('%s: forwards form, public URL and signature to telephony, without an API key', async (target, rpc, provider) => {
    gateway.services.overrides = {
      telephony: { receiveCarrierMessage: async () => markup, receiveCarrierReport: async () => markup },
    };
    const answer = await post(target);
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      200,
      'text/xml; charset=utf-8',
      markup.body,
    ]);
    const received = gateway.services.received.filter((call) => call.rpc === rpc);
    expect(received.map(({ request }) => request)).toEqual([
      {
        provider,
        url: `${publicUrl}${target}`,
        form: { MessageSid: 'SM1', Body: 'Grüße', To: '+14155550100' },
        signature,
      },
    ]);
  });

  it.each([
    ['an internal error of telephony', () => internal(new Error('boom'))],
    ['an unavailable telephony', () => internal(new Error('away'), 503)],
    ['a timeout of telephony', () => internal(new Error('late'), 504)],
  ])('answers %s with 503 webhook_retry_requested, without a request_id', async (_, error) => {
    failing(error);
    const answer = await post('/v1/carriers/twilio/messages');
    expect(answer.status).toBe(503);
    expect(answer.body).toEqual({ error: 'webhook_retry_requested', message: expect.any(String) as string });
  });

  it('answers 503 webhook_retry_requested if telephony cannot be reached', async () => {
    const alone = await TestGateway.start({ telephonyAddress: '127.0.0.1:1', publicUrl });
    const answer = await alone.request('POST', '/v1/carriers/twilio/messages', { headers, body: form });
    await alone.stop();
    expect([answer.status, answer.body['error']]).toEqual([503, 'webhook_retry_requested']);
  });

  it.each([
    [401, 'UnauthorizedError', unauthorized],
    [404, 'NotFoundError', () => notFound('number')],
    [400, 'BadRequestError', () => badRequest('MessageSid is required')],
  ])('passes the error %i %s of telephony on', async (status, code, error) => {
    failing(error);
    const answer = await post('/v1/carriers/twilio/messages');
    expect([answer.status, answer.body['error']]).toEqual([status, code]);
  });

  it('answers 405 to another method, 404 to another path, 415 to a Content-Encoding, 413 to a body over 1 MiB', async () => {
    const got = await gateway.request('GET', '/v1/carriers/twilio/messages');
    expect([got.status, got.body['error'], got.headers['allow']]).toEqual([405, 'method_not_allowed', 'POST']);
    expect((await post('/v1/carriers/twilio/faxes')).status).toBe(404);
    expect((await post('/v1/carriers/twilio/messages', form, { 'content-encoding': 'gzip' })).status).toBe(415);
    expect((await post('/v1/carriers/twilio/messages', Buffer.alloc(1024 * 1024 + 1, 'a'))).status).toBe(413);
  });

  it('are forwarded during maintenance', async () => {
    gateway.services.controlState = {
      ...gateway.services.controlState,
      epoch: '2',
      maintenance: { active: true, retryAfterSeconds: 60, startsAt: '', endsAt: '', message: '' },
    };
    expect((await post('/v1/carriers/twilio/statuses')).status).toBe(200);
  });
});

describe('idempotency_key in the body of a message', () => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    gateway = await TestGateway.start();
    token = gateway.services.token();
  });
  afterAll(() => gateway.stop());

  const to = '+14155550100';
  const template = { template_id: 'tpl_1' };

  const send = async (key: string | undefined, field: unknown, path = '/v1/messages', body = 'Hi') => {
    gateway.services.received.length = 0;
    const answer = await gateway.request('POST', path, {
      token,
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body: { ...(path === '/v1/messages' ? { agent_id: 'agt_1', body } : template), to, idempotency_key: field },
    });
    const sent = gateway.services.received.find(({ rpc }) => rpc.startsWith('create'));
    const idempotency = sent?.request['idempotency'] as { key: string; fingerprint: Uint8Array } | undefined;
    const fingerprint = Buffer.from(idempotency?.fingerprint ?? []).toString('hex');
    return { status: answer.status, key: idempotency?.key, fingerprint };
  };

  it('is equivalent to the header Idempotency-Key, and may be sent together with it', async () => {
    const inHeader = await send('k', undefined);
    expect(inHeader).toMatchObject({ status: 201, key: 'k' });
    expect(await send(undefined, 'k')).toEqual(inHeader);
    expect(await send('k', 'k')).toEqual(inHeader);
    expect((await send('k', undefined, '/v1/messages', 'Other')).fingerprint).not.toBe(inHeader.fingerprint);
    expect(await send(undefined, 'k', '/v1/agents/agt_1/template-messages')).toMatchObject({ status: 201, key: 'k' });
  });

  it.each([
    ['a key other than in the header', 'k', 'l'],
    ['an empty key', undefined, ''],
    ['a key with a space', undefined, 'a b'],
    ['a key of 256 characters', undefined, 'k'.repeat(256)],
  ])('%s is 400', async (_, key, field) => {
    expect(await send(key, field)).toMatchObject({ status: 400, key: undefined });
  });

  it('is forwarded as an ordinary field in other bodies, and is not used as the key', async () => {
    const body = { agent_id: 'agt_1', to: '+14155550100', idempotency_key: 'k' };
    gateway.services.received.length = 0;
    await gateway.request('POST', '/v1/calls', { token, body });
    const sent = gateway.services.received.find(({ rpc }) => rpc === 'create-call');
    expect(sent?.request).toMatchObject({ route: 'create-call', idempotency: undefined });
  });
});
