import { addressError } from './validate';

describe('URLs of customers: syntax, scheme and credentials', () => {
  it.each([
    'https://example.com',
    'https://example.com:8443/hooks?x=1#y',
    'HTTPS://EXAMPLE.COM/',
    'https://192.0.2.1/',
    'https://[2001:db8::1]:443/a',
    'https://example.com/a@b',
    'https://example.com/?email=a@b.c',
    'https://xn--bcher-kva.example/',
    `https://example.com/${'a'.repeat(2028)}`,
  ])('accepts %s', (address) => expect(addressError(address, 'http', false)).toBeUndefined());

  it.each<[string, unknown]>([
    ['http', 'http://example.com'],
    ['a WebSocket URL for a webhook', 'wss://example.com'],
    ['ftp', 'ftp://example.com'],
    ['file', 'file:///etc/passwd'],
    ['javascript', 'javascript:alert(1)'],
    ['data', 'data:text/plain,x'],
    ['no scheme', 'example.com/hook'],
    ['a relative URL', '/hook'],
    ['no host', 'https://'],
    ['no slashes', 'https:example.com'],
    ['one slash', 'https:/example.com'],
    ['three slashes', 'https:///example.com'],
    ['a backslash', 'https://example.com\\@evil.example/'],
    ['a space', 'https://exa mple.com'],
    ['a leading space', ' https://example.com'],
    ['a line break that the parser would strip', 'https://exam\nple.com'],
    ['a zero-width character', 'https://exam\u200bple.com'],
    ['a user name', 'https://user@example.com'],
    ['a user name and a password', 'https://user:secret@example.com'],
    ['empty credentials', 'https://@example.com'],
    ['a bad port', 'https://example.com:99999'],
    ['an empty text', ''],
    ['2,049 characters', `https://example.com/${'a'.repeat(2029)}`],
    ['a number', 5],
    ['an array', ['https://example.com']],
  ])('refuses %s', (_, address) => expect(addressError(address, 'http', false)).toBeDefined());

  it.each<['http' | 'websocket', string, boolean]>([
    ['http', 'http://127.0.0.1:9000/hook', true],
    ['http', 'ws://127.0.0.1/', false],
    ['websocket', 'wss://example.com/audio', true],
    ['websocket', 'ws://localhost:1/', true],
    ['websocket', 'https://example.com', false],
    ['http', 'http://user@localhost/', false],
  ])('in the development profile, as a URL for %s, %s is accepted: %s', (kind, address, passes) => {
    expect(addressError(address, kind, true) === undefined).toBe(passes);
  });

  it('refuses ws:// in production', () => expect(addressError('ws://example.com', 'websocket', false)).toBeDefined());
});
