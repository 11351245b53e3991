import { publicUrlOf } from './carrier-webhooks';

const path = '/v1/carriers/any/calls?a=b';

describe('the public address of a request', () => {
  it.each([
    ['the configured one', path, 'https://voice.example', `https://voice.example${path}`],
    ['the configured one with a slash', path, 'https://voice.example/', `https://voice.example${path}`],
    ['with its port', path, 'https://voice.example:8443', `https://voice.example:8443${path}`],
    [
      'not the host of an absolute target',
      `http://evil.example${path}`,
      'https://voice.example',
      `https://voice.example${path}`,
    ],
  ])('is %s', (_what, target, publicUrl, expected) => {
    expect(publicUrlOf(target, publicUrl)).toBe(expected);
  });
});
