import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { signatureOf, signingKeyOf } from '@parley/service';
import { secretBytes, secretOf } from './signing-secret.rules';

const now = () => Math.floor(Date.now() / 1000);
const newSecret = () => secretOf(randomBytes(secretBytes));

describe('signatureOf', () => {
  const body = Buffer.from('{"text":"ä \\"quoted\\" \u2028"}');

  it.each([1, 2, 3])('the signature is valid for each of %i active secrets', (count) => {
    const secrets = Array.from({ length: count }, newSecret);
    const timestamp = now();
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf(secrets.map(signingKeyOf), 'evt_1', timestamp, body),
    };
    for (const secret of secrets)
      expect(new Webhook(secret).verify(body, headers)).toEqual({ text: 'ä "quoted" \u2028' });
    expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
    const [secret = ''] = secrets;
    expect(() => new Webhook(secret).verify(Buffer.from('{}'), headers)).toThrow();
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow();
  });

  it('matches a test vector of the Standard Webhooks specification', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const signature = signatureOf(
      [signingKeyOf(secret)],
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      1614265330,
      Buffer.from('{"test": 2432232314}'),
    );
    expect(signature).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
  });

  it('secrets have 32 bytes and are unique', () => {
    const secrets = new Set(Array.from({ length: 50 }, newSecret));
    expect(secrets.size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    }
  });
});
