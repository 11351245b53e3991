import { publicUrlOf } from './public-url';

const request = (proto?: string, url = '/v1/carriers/twilio/calls?a=b') => ({
  url,
  headers: { host: 'parley.example:8080', ...(proto !== undefined && { 'x-forwarded-proto': proto }) },
});
const path = '/v1/carriers/twilio/calls?a=b';

describe('the public address of a request', () => {
  it.each([
    ['what the request says', request(), undefined, 0, `http://parley.example:8080${path}`],
    ['not what a client forwards', request('https'), undefined, 0, `http://parley.example:8080${path}`],
    ['what a trusted proxy forwards', request('https'), undefined, 1, `https://parley.example:8080${path}`],
    ['the nearest proxy', request('https, http'), undefined, 1, `http://parley.example:8080${path}`],
    ['the configured one', request('https'), 'https://voice.example', 1, `https://voice.example${path}`],
    ['the configured one with a slash', request(), 'https://voice.example/', 0, `https://voice.example${path}`],
    [
      'a target in absolute form',
      request(undefined, `http://x.example${path}`),
      undefined,
      0,
      `http://parley.example:8080${path}`,
    ],
  ])('is %s', (_what, asked, publicUrl, trustedProxies, expected) => {
    expect(publicUrlOf(asked, { publicUrl, trustedProxies })).toBe(expected);
  });
});
