import { isSignedByTwilio, twilioSignature } from './signature';

/** From Twilio's documentation and the tests of its own libraries. */
const documented = {
  token: '12345',
  url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
  form: {
    CallSid: 'CA1234567890ABCDE',
    Caller: '+14158675309',
    Digits: '1234',
    From: '+14158675309',
    To: '+18005551212',
  },
  signature: 'RSOYDt4T1cUTdK1PDd93/VVr8B8=',
};
const { token, url, form, signature } = documented;

describe('the signature of a Twilio webhook', () => {
  it("matches Twilio's documented test vector, independent of the order of form fields", () => {
    expect(twilioSignature(token, url, form)).toBe(signature);
    const reversed = Object.fromEntries(Object.entries(form).reverse());
    expect(isSignedByTwilio(token, { url, form: reversed, signature })).toBe(true);
  });

  it.each([
    ['another token', '12346', { url, form, signature }],
    ['another query string', token, { url: `${url}&baz=3`, form, signature }],
    ['another scheme', token, { url: url.replace('https', 'http'), form, signature }],
    ['another value', token, { url, form: { ...form, Digits: '1235' }, signature }],
    ['an extra field', token, { url, form: { ...form, Extra: '' }, signature: `${signature} ` }],
    ['no signature', token, { url, form, signature: '' }],
    ['a longer signature', token, { url, form, signature: `${signature}=` }],
    ['a signature in lower case', token, { url, form, signature: signature.toLowerCase() }],
  ])('is invalid with %s', (_what, by, signed) => {
    expect(isSignedByTwilio(by, signed)).toBe(false);
  });

  it.each([
    ['https://mycompany.com/a', 'https://mycompany.com:443/a'],
    ['https://mycompany.com:443/a', 'https://mycompany.com/a'],
    ['http://mycompany.com/a?b=c', 'http://mycompany.com:80/a?b=c'],
    ['https://mycompany.com:8443/a', 'https://mycompany.com/a'],
  ])('is valid for %s if it was made for %s', (asked, signedFor) => {
    expect(isSignedByTwilio(token, { url: asked, form, signature: twilioSignature(token, signedFor, form) })).toBe(
      true,
    );
  });
});
