import { AuthServiceService, Principal, type AuthServiceServer } from '@parley/proto/auth';
import { grpcService, serviceCaller, type UnaryHandlers } from '@parley/runtime';
import { eventually, fakeClock, grpcClient, inProcessGrpc, testSink } from './index';

describe('eventually', () => {
  it('returns the first defined value, through errors', async () => {
    let asked = 0;
    const value = await eventually(() => {
      asked++;
      if (asked === 1) throw new Error('too early');
      return asked === 3 ? 0 : undefined;
    });
    expect([value, asked]).toEqual([0, 3]);
  });

  it('rejects with the last error as its cause', async () => {
    const cause = new Error('still not');
    await expect(eventually(() => Promise.reject(cause), { timeoutMs: 20 })).rejects.toMatchObject({ cause });
  });
});

describe('fakeClock', () => {
  it('changes only when it is advanced', () => {
    const clock = fakeClock(new Date('2026-02-03T00:00:00Z'));
    const before = clock.monotonicMs();
    expect(clock.now().toISOString()).toBe('2026-02-03T00:00:00.000Z');
    clock.advance(1_500);
    expect(clock.now().toISOString()).toBe('2026-02-03T00:00:01.500Z');
    expect(clock.monotonicMs() - before).toBe(1_500);
  });
});

describe('testSink', () => {
  it('records requests and responds as configured; next() finds past and future requests', async () => {
    const sink = await testSink((request) => (request.url === '/busy' ? { status: 503, body: 'no' } : undefined));
    try {
      const future = sink.next((request) => request.url === '/hook');
      expect((await fetch(`${sink.url}/busy`)).status).toBe(503);
      expect((await fetch(`${sink.url}/hook`, { method: 'POST', body: '{"a":1}' })).status).toBe(204);
      expect((await future).json).toEqual({ a: 1 });
      expect((await sink.next((request) => request.url === '/busy')).method).toBe('GET');
      expect(sink.requests).toHaveLength(2);
      await expect(sink.next(() => false, 10)).rejects.toBeInstanceOf(Error);
    } finally {
      await sink.close();
    }
    await expect(fetch(sink.url)).rejects.toThrow();
  });
});

describe('inProcessGrpc', () => {
  it('serves until it is stopped', async () => {
    const handlers = {
      verifyToken: (_request, _context) => Promise.resolve(Principal.fromPartial({ keyId: 'k' })),
    } as UnaryHandlers<AuthServiceServer>;
    const server = await inProcessGrpc([grpcService<AuthServiceServer>(AuthServiceService, handlers)]);
    const client = grpcClient<AuthServiceServer>(AuthServiceService, server.address);
    const ask = () => client.verifyToken({ token: '' }, { requestId: 'r', caller: serviceCaller });
    expect((await ask()).keyId).toBe('k');
    await server.stop();
    await expect(ask()).rejects.toMatchObject({ status: 503 });
    client.close();
  });
});
