import { carrierRoutes } from '@parley/contract';
import { AppError, internal } from '@parley/errors';
import { TestGateway } from './test-gateway';

const path = '/v1/carriers/twilio/calls';
const form = 'AccountSid=AC1&CallSid=CA1&To=%2B14155550100&From=anonymous';
const twiml = '<Response/>';
/** Has the format of a signature; telephony, which verifies signatures, is a fake. */
const signature = `${'s'.repeat(27)}=`;

describe('carrier webhooks for calls', () => {
  let gateway: TestGateway;
  let received: unknown[];

  beforeAll(async () => {
    gateway = await TestGateway.start({ publicUrl: 'https://voice.example' });
  });
  afterAll(() => gateway.stop());
  beforeEach(() => {
    received = [];
    telephony(async (webhook) => {
      received.push(webhook);
      return { body: twiml };
    });
  });
  afterEach(() => (gateway.services.overrides = {}));

  const telephony = (receiveCarrierCall: (webhook: unknown) => Promise<{ body: string }>) => {
    gateway.services.overrides = { telephony: { receiveCarrierCall } };
  };
  const post = (body: string | Buffer = form, headers: Record<string, string> = {}, target = path) =>
    gateway.request('POST', target, {
      body,
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-twilio-signature': signature, ...headers },
    });

  it('forwards form, signature and public URL to telephony, and answers with its XML, without an API key', async () => {
    const answer = await post(form, {}, `${path}?a=b%20c`);
    expect([answer.status, answer.headers['content-type'], answer.text]).toEqual([
      200,
      'text/xml; charset=utf-8',
      twiml,
    ]);
    expect(answer.headers['x-request-id']).toEqual(expect.any(String));
    expect(received).toEqual([
      {
        provider: 'twilio',
        url: `https://voice.example${path}?a=b%20c`,
        form: { AccountSid: 'AC1', CallSid: 'CA1', To: '+14155550100', From: 'anonymous' },
        signature,
      },
    ]);
  });

  it.each([
    ['an internal error of telephony', internal(new Error('secret'))],
    ['an unavailable telephony', internal(new Error('secret'), 503)],
    ['a timeout of telephony', internal(new Error('secret'), 504)],
    ['any other exception', new TypeError('secret')],
  ])('answers %s with 503 webhook_retry_requested, without request_id and cause', async (_what, error) => {
    telephony(async () => {
      throw error;
    });
    const answer = await post();
    expect([answer.status, answer.body.error]).toEqual([503, 'webhook_retry_requested']);
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'message']);
    expect(answer.text).not.toContain('secret');
  });

  it.each([
    ['UnauthorizedError', 401],
    ['BadRequestError', 400],
    ['ConflictError', 409],
  ] as const)('passes the error %s of telephony on', async (code, status) => {
    telephony(async () => {
      throw new AppError(code, 'no');
    });
    const answer = await post();
    expect([answer.status, answer.body.error]).toEqual([status, code]);
  });

  it.each<[string, string | Buffer, Record<string, string>, number, string]>([
    ['no signature', form, { 'x-twilio-signature': '' }, 401, 'UnauthorizedError'],
    ['JSON', '{}', { 'content-type': 'application/json' }, 400, 'BadRequestError'],
    ['a repeated field', 'a=1&a=2', {}, 400, 'BadRequestError'],
    ['a compressed body', form, { 'content-encoding': 'gzip' }, 415, 'UnsupportedMediaTypeError'],
    ['a form over 64 KiB', `a=${'x'.repeat(64 * 1024)}`, {}, 413, 'PayloadTooLargeError'],
    ['a body over 1 MiB', `a=${'x'.repeat(1024 * 1024)}`, {}, 413, 'PayloadTooLargeError'],
  ])('is refused without calling telephony: %s', async (_what, body, headers, status, code) => {
    const answer = await post(body, headers);
    expect([answer.status, answer.body.error]).toEqual([status, code]);
    expect(received).toEqual([]);
  });

  it('answers 405 to another method and 404 for an unknown carrier', async () => {
    const read = await gateway.request('GET', path);
    expect([read.status, read.body.error, read.headers.allow]).toEqual([405, 'method_not_allowed', 'POST']);
    const other = await gateway.request('POST', '/v1/carriers/other/calls', { body: form });
    expect([other.status, other.body.error]).toEqual([404, 'not_found']);
  });

  const declared = Object.values(carrierRoutes).flatMap(({ path: at, providers, rpc, errors }) =>
    providers.map(
      (provider) => [at.replace('{provider}', provider), { rpc: rpc.split('.')[1] ?? '', errors }] as const,
    ),
  );

  describe.each(declared)('POST %s', (target, { rpc, errors }) => {
    const answering = (answer: () => Promise<{ body: string }>) => {
      gateway.services.overrides = { telephony: { [rpc]: answer } };
    };

    it('accepts a signed form and answers with the XML of telephony', async () => {
      answering(async () => ({ body: twiml }));
      const { status, headers, text } = await post(form, {}, target);
      expect([status, headers['content-type'], text]).toEqual([200, 'text/xml; charset=utf-8', twiml]);
    });

    it.each<[string, string, Record<string, string>, number, string]>([
      ['no signature', form, { 'x-twilio-signature': '' }, 401, 'UnauthorizedError'],
      ['JSON', '{}', { 'content-type': 'application/json' }, 400, 'BadRequestError'],
      ['a compressed body', form, { 'content-encoding': 'gzip' }, 415, 'UnsupportedMediaTypeError'],
      ['a form over 64 KiB', `a=${'x'.repeat(64 * 1024)}`, {}, 413, 'PayloadTooLargeError'],
    ])('refuses a request with %s', async (_, body, headers, status, code) => {
      answering(() => Promise.reject(new Error('asked')));
      const answer = await post(body, headers, target);
      expect([answer.status, answer.body.error]).toEqual([status, code]);
      expect(errors).toContain(code);
    });

    const reported = ['UnauthorizedError', 'BadRequestError', 'NotFoundError', 'ConflictError'] as const;
    it.each(reported.filter((code) => errors.includes(code)))('passes the error %s of telephony on', async (code) => {
      answering(() => Promise.reject(new AppError(code, 'no')));
      expect((await post(form, {}, target)).body.error).toBe(code);
    });

    it('is forwarded during maintenance, where telephony decides', async () => {
      answering(async () => ({ body: twiml }));
      await gateway.maintenance(true, { retryAfterSeconds: 90 });
      try {
        expect((await post(form, {}, target)).status).toBe(200);
      } finally {
        await gateway.maintenance(false);
      }
    });

    it('answers 503 webhook_retry_requested if telephony is unavailable, and 405 to other methods', async () => {
      answering(() => Promise.reject(internal(new Error('secret'), 503)));
      const answer = await post(form, {}, target);
      expect([answer.status, answer.body.error]).toEqual([503, 'webhook_retry_requested']);
      for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
        expect((await gateway.request(method, target)).status).toBe(405);
      }
    });
  });
});
