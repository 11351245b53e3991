import { natsServers } from './nats';

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
