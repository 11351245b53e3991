import { AppError } from '@parley/errors';
import { createAddressPolicy, type AddressPolicy } from './address-policy.rules';
import { checkDestination, type DestinationField } from './destination.rules';

const production = createAddressPolicy({ development: false });
const development = createAddressPolicy({ development: true });

function codeOf(url: string, policy: AddressPolicy, field: DestinationField = 'webhook_url'): string {
  try {
    checkDestination(url, field, policy);
    return 'accepted';
  } catch (error) {
    return error instanceof AppError ? error.code : 'not an AppError';
  }
}

const accepted = [
  'https://example.com/hook',
  'https://example.com',
  'https://EXAMPLE.com:8443/a/b?c=%20d',
  'https://example.com./hook',
  'https://xn--mnchen-3ya.example/hook',
  'https://8.8.8.8/hook',
  'https://[2606:4700::1111]/hook',
  'https://127.0.0.1.example.com/hook',
  'https://user.example.com/@me',
];

const refusedEverywhere = [
  '',
  'example.com/hook',
  '//example.com/hook',
  'https:/example.com/hook',
  'https:example.com',
  'https://',
  'https:///hook',
  'ftp://example.com/hook',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'wss://example.com/hook',
  'https://user@example.com/hook',
  'https://user:secret@example.com/hook',
  'https://@example.com/hook',
  'https://:@example.com/hook',
  'https://example.com/hook#part',
  'https://example.com\\@other.example/hook',
  'https://example.com/ho ok',
  'https://example.com/\r\nhost: other',
  'https://exam\tple.com/hook',
  ' https://example.com/hook',
  'https://münchen.example/hook',
  'https://example.com/ü',
  'https://example.com:0/hook',
  'https://example.com:65536/hook',
  'https://exa%00mple.com/hook',
  'https://a..b/hook',
  `https://example.com/${'a'.repeat(2048)}`,
  'https://10.0.0.1/hook',
  'https://172.16.0.1/hook',
  'https://172.31.255.255/hook',
  'https://192.168.1.1/hook',
  'https://169.254.169.254/latest/meta-data/',
  'https://100.64.0.1/hook',
  'https://0.0.0.0/hook',
  'https://0/hook',
  'https://224.0.0.1/hook',
  'https://255.255.255.255/hook',
  'https://198.18.0.1/hook',
  'https://192.0.2.1/hook',
  'https://168.63.129.16/hook',
  'https://[::]/hook',
  'https://[fe80::1]/hook',
  'https://[fc00::1]/hook',
  'https://[fd00:ec2::254]/hook',
  'https://[64:ff9b::7f00:1]/hook',
  'https://[64:ff9b:1::a00:1]/hook',
  'https://[2002:7f00:1::]/hook',
  'https://[2001:db8::1]/hook',
  'https://[::127.0.0.1]/hook',
  'https://[::ffff:10.0.0.1]/hook',
];

/** All notations of the loopback address and its name. */
const loopback = [
  'https://127.0.0.1/hook',
  'https://127.1/hook',
  'https://127.255.255.254/hook',
  'https://0x7f000001/hook',
  'https://0x7f.0.0.1/hook',
  'https://2130706433/hook',
  'https://017700000001/hook',
  'https://0177.0.0.1/hook',
  'https://127.0.0.1./hook',
  'https://%31%32%37.0.0.1/hook',
  'https://[::1]/hook',
  'https://localhost/hook',
  'https://localhost./hook',
  'https://LOCALHOST/hook',
  'https://a.localhost/hook',
];

describe('checkDestination', () => {
  it.each(accepted)('accepts %s', (url) => {
    expect(codeOf(url, production)).toBe('accepted');
  });

  it.each(refusedEverywhere)('rejects %j in production and development', (url) => {
    expect(codeOf(url, production)).toBe('BadRequestError');
    expect(codeOf(url, development)).toBe('BadRequestError');
  });

  it.each(loopback)('rejects %s in production and accepts it in development', (url) => {
    expect(codeOf(url, production)).toBe('BadRequestError');
    expect(codeOf(url, development)).toBe('accepted');
  });

  it('rejects IPv4-mapped addresses, also of loopback in development', () => {
    expect(codeOf('https://[::ffff:127.0.0.1]/hook', development)).toBe('BadRequestError');
    expect(codeOf('https://[::ffff:7f00:1]/hook', production)).toBe('BadRequestError');
  });

  it('accepts http and ws only in development, each only in its field', () => {
    expect(codeOf('http://example.com/', development)).toBe('accepted');
    expect(codeOf('http://example.com/', production)).toBe('BadRequestError');
    expect(codeOf('ws://example.com/', development, 'audio_stream_url')).toBe('accepted');
    expect(codeOf('ws://example.com/', production, 'audio_stream_url')).toBe('BadRequestError');
    expect(codeOf('wss://example.com/', production, 'audio_stream_url')).toBe('accepted');
    expect(codeOf('wss://127.1/', production, 'audio_stream_url')).toBe('BadRequestError');
    expect(codeOf('https://example.com/', development, 'audio_stream_url')).toBe('BadRequestError');
  });

  const streamed = (urls: readonly string[]): string[] =>
    urls.filter((url) => url.startsWith('https:')).map((url) => url.replace('https:', 'wss:'));

  it.each(streamed(accepted))('accepts %s as audio_stream_url', (url) => {
    expect(codeOf(url, production, 'audio_stream_url')).toBe('accepted');
  });

  it.each(streamed(refusedEverywhere))('rejects %j as audio_stream_url in production and development', (url) => {
    expect(codeOf(url, production, 'audio_stream_url')).toBe('BadRequestError');
    expect(codeOf(url, development, 'audio_stream_url')).toBe('BadRequestError');
  });

  it.each(streamed(loopback))('rejects %s as audio_stream_url in production and accepts it in development', (url) => {
    expect(codeOf(url, production, 'audio_stream_url')).toBe('BadRequestError');
    expect(codeOf(url, development, 'audio_stream_url')).toBe('accepted');
  });

  it('the error names the field', () => {
    expect(() => checkDestination('x', 'audio_stream_url', production)).toThrow(/^audio_stream_url /);
  });

  it('accepts exactly the ranges and hosts that the operator allowed', () => {
    const allowing = createAddressPolicy({
      development: false,
      allowedCidrs: '10.1.0.0/16, fd00::/8',
      allowedHosts: 'receiver.apps.svc, localhost',
    });
    expect(codeOf('https://10.1.2.3/', allowing)).toBe('accepted');
    expect(codeOf('https://10.2.0.1/', allowing)).toBe('BadRequestError');
    expect(codeOf('https://[fd12::1]/', allowing)).toBe('accepted');
    expect(codeOf('https://[::ffff:10.1.2.3]/', allowing)).toBe('accepted');
    expect(codeOf('https://localhost/', allowing)).toBe('accepted');
    expect(codeOf('https://127.0.0.1/', allowing)).toBe('BadRequestError');
    expect(codeOf('http://receiver.apps.svc/', allowing)).toBe('BadRequestError');
    expect(() => createAddressPolicy({ development: false, allowedCidrs: '10.0.0.0' })).toThrow();
  });
});
