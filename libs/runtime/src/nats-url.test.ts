import { natsServers, natsTls } from './nats-url';

describe('natsServers', () => {
  it.each([
    ['nats://here:4222', { servers: ['nats://here:4222'] }],
    ['nats://a:1, nats://b:2', { servers: ['nats://a:1', 'nats://b:2'] }],
    ['nats://auth:secret@here:4222', { servers: ['nats://here:4222'], user: 'auth', pass: 'secret' }],
    ['nats://auth:s@a:1,nats://auth:s@b:2', { servers: ['nats://a:1', 'nats://b:2'], user: 'auth', pass: 's' }],
    ['nats://auth:s@a:1,nats://b:2', { servers: ['nats://a:1', 'nats://b:2'], user: 'auth', pass: 's' }],
    ['tls://auth:a%40b%2Fc@here', { servers: ['tls://here'], user: 'auth', pass: 'a@b/c' }],
    ['auth:a:b@here', { servers: ['here'], user: 'auth', pass: 'a:b' }],
  ])('%s: the user is separated from the servers', (url, expected) => {
    expect(natsServers(url)).toEqual(expected);
  });
});

describe('natsTls', () => {
  it.each([
    [['nats://here:4222', 'there:4222'], {}],
    [['tls://here:4222'], { tls: {} }],
    [['nats://here:4222', 'tls://there'], { tls: {} }],
  ])('%j: TLS is required where one server has the scheme tls://', (servers, expected) => {
    expect(natsTls(servers)).toEqual(expected);
  });

  it.each(['tls://127.0.0.1:4222', 'tls://[::1]:4222'])('%s is refused: no host name to check', (server) => {
    expect(() => natsTls([server])).toThrow('host name');
  });
});
