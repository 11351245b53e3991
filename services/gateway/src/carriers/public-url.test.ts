import { publicUrlOf } from './carrier-webhooks';

const path = '/v1/carriers/any/calls?a=b';

describe('the public URL of a request, which carriers sign', () => {
  it.each([
    [
      'the configured PUBLIC_URL with the path and query',
      path,
      'https://voice.example',
      `https://voice.example${path}`,
    ],
    [
      'the configured PUBLIC_URL without its trailing slash',
      path,
      'https://voice.example/',
      `https://voice.example${path}`,
    ],
    ['PUBLIC_URL with its port', path, 'https://voice.example:8443', `https://voice.example:8443${path}`],
    [
      'PUBLIC_URL even if the request target is absolute with another host',
      `http://evil.example${path}`,
      'https://voice.example',
      `https://voice.example${path}`,
    ],
  ])('is %s', (_what, target, publicUrl, expected) => {
    expect(publicUrlOf(target, publicUrl)).toBe(expected);
  });
});
