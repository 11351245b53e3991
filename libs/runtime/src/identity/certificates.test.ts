import { serviceOfNames } from './certificates';

describe('serviceOfNames', () => {
  it.each([
    ['URI:spiffe://parley/gateway', 'gateway'],
    ['DNS:gateway.parley.internal, URI:spiffe://parley/gateway', 'gateway'],
    ['URI:spiffe://parley/voice-stack, DNS:voice-stack.parley.internal, IP Address:127.0.0.1', 'voice-stack'],
    ['DNS:gateway.parley.internal', undefined],
    ['', undefined],
    [undefined, undefined],
    ['URI:spiffe://elsewhere/gateway', undefined],
    ['URI:spiffe://parley/gateway, URI:spiffe://parley/auth', undefined],
    ['DNS:"x, URI:spiffe://parley/gateway"', undefined],
    ['DNS:"x, URI:spiffe://parley/gateway", URI:spiffe://parley/agents', 'agents'],
    ['DNS:"unfinished, URI:spiffe://parley/gateway', undefined],
  ])('the service in %j is %s', (names, service) => {
    expect(serviceOfNames(names)).toBe(service);
  });
});
