import { eventually } from '@parley/testing';
import { AuthServiceService, type AuthServiceServer } from '@parley/proto/auth';
import { grpcClient, HealthDefinition, serviceCaller, type HealthServer } from '../src';
import { identity } from './servers-under-test';
import { ServiceProcess, type LogLine } from './service-process';

const context = { requestId: 'r', caller: serviceCaller };

const running: ServiceProcess[] = [];

function start(env: NodeJS.ProcessEnv = {}, args: string[] = []): ServiceProcess {
  const service = new ServiceProcess(env, args);
  running.push(service);
  return service;
}

const portsOf = (line: LogLine) => line as { grpc: number; http: number; health: number };

const ready = async (service: ServiceProcess) => portsOf(await eventually(() => service.line('ready')));

afterEach(async () => {
  for (const service of running.splice(0)) {
    service.kill('SIGKILL');
    await service.exit();
  }
});

describe('runService', () => {
  it('starts, serves /livez, /readyz and /metrics, and exits with 0 immediately on SIGTERM if idle', async () => {
    // If the drain waited for anything, this test would not end.
    const service = start({ DRAIN_SECONDS: '600' });
    const { health, grpc } = await ready(service);
    const get = (path: string) => fetch(`http://127.0.0.1:${health}${path}`);
    expect((await get('/livez')).status).toBe(200);
    const readiness = await get('/readyz');
    expect([readiness.status, await readiness.json()]).toEqual([200, { ready: true, checks: { process: 'ok' } }]);
    expect((await get('/other')).status).toBe(404);

    const client = grpcClient<AuthServiceServer>(AuthServiceService, `127.0.0.1:${grpc}`, { identity });
    await client.verifyToken({ token: 't' }, context);
    const metrics = await (await get('/metrics')).text();
    expect(metrics).toMatch(
      /rpc_server_call_duration_seconds_count\{.*rpc_method="AuthService\/VerifyToken",code="OK".*\} 1/,
    );
    expect(metrics).toContain('process_resident_memory_bytes');
    expect(metrics).toContain('parley_postgresql_pool_connections');

    const health1 = grpcClient<HealthServer>(HealthDefinition, `127.0.0.1:${grpc}`, { identity, server: 'auth' });
    expect(await health1.check({ service: '' }, context)).toEqual({ serving: true });
    expect(await health1.check({ service: 'parley.auth.v1.AuthService' }, context)).toEqual({
      serving: true,
    });

    // The clients keep their connections open.
    service.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
    // Sorted, because log lines that are written at exit may arrive in any order.
    expect(service.lines.map((line) => line.msg).toSorted()).toEqual(['draining', 'ready', 'starting', 'stopped']);
    client.close();
    health1.close();
  });

  it('draining completes running requests and closes HTTP connections afterwards', async () => {
    const service = start();
    const { grpc, http, health } = await ready(service);
    const client = grpcClient<AuthServiceServer>(AuthServiceService, `127.0.0.1:${grpc}`, { identity });
    const slowRpc = client.verifyToken({ token: 'hold' }, context);
    const slowHttp = fetch(`http://127.0.0.1:${http}/hold`);
    await eventually(() => service.line('held rpc') && service.line('held http'));
    service.kill('SIGTERM');
    await eventually(() => service.line('draining'));
    expect((await fetch(`http://127.0.0.1:${health}/readyz`).catch(() => ({ status: 503 }))).status).toBe(503);
    expect((await slowRpc).keyId).toBe(String(service.child.pid));
    const answer = await slowHttp;
    expect([answer.status, answer.headers.get('connection')]).toEqual([200, 'close']);
    await answer.text();
    expect(await service.exit()).toBe(0);
    client.close();
  });

  it('a request that lasts longer than the drain is canceled, and a second signal ends the process immediately', async () => {
    const cut = start({ DRAIN_SECONDS: '4' });
    const client = grpcClient<AuthServiceServer>(AuthServiceService, `127.0.0.1:${(await ready(cut)).grpc}`, {
      identity,
    });
    const slow = client
      .verifyToken({ token: 'sleep 20000' }, context, { idempotent: false })
      .catch((error: unknown) => error);
    await client.verifyToken({ token: 't' }, context);
    cut.kill('SIGTERM');
    expect(await slow).toMatchObject({ code: 'internal_error', status: 503 });
    expect(await cut.exit()).toBe(0);
    client.close();

    const impatient = start();
    const second = grpcClient<AuthServiceServer>(AuthServiceService, `127.0.0.1:${(await ready(impatient)).grpc}`, {
      identity,
    });
    const lost = second
      .verifyToken({ token: 'sleep 20000' }, context, { idempotent: false })
      .catch((error: unknown) => error);
    await second.verifyToken({ token: 't' }, context);
    impatient.kill('SIGTERM');
    await eventually(() => impatient.line('draining'));
    impatient.kill('SIGINT');
    expect(await impatient.exit()).toBe(1);
    await lost;
    second.close();
  });

  it('reports all configuration errors together and exits with 78', async () => {
    const service = start({ GRPC_PORT: 'x', LOG_LEVEL: 'loud', GREETER_DATABASE: '1' });
    expect(await service.exit()).toBe(78);
    expect(service.stderr).toMatch(/GRPC_PORT: .*\n\s+LOG_LEVEL: .*\n\s+DATABASE_URL: /);
  });

  it('a port in use ends the start with a message and exit code 1', async () => {
    const first = await ready(start());
    const service = start({ GRPC_PORT: String(first.grpc) });
    expect(await service.exit()).toBe(1);
    expect(service.stderr).toMatch(/EADDRINUSE|address/i);
  });

  it('a command writes only its result to stdout, and the log to stderr', async () => {
    const service = start({}, ['print-id', '--name', 'n']);
    expect(await service.exit()).toBe(0);
    expect(JSON.parse(service.stdout)).toEqual({ id: expect.stringMatching(/^key_/), args: ['--name', 'n'] });
    expect(service.stderr).toContain('a line of the log');
  });

  it.each([
    ['a command that fails', 'fail', 1],
    ['an unknown command', 'nothing', 64],
  ])('%s exits with an error', async (_case, command, code) => {
    const service = start({}, [command]);
    expect(await service.exit()).toBe(code);
    expect(service.stderr).not.toBe('');
  });

  it('every HTTP request gets a traceparent: a new one, or the valid one that it contains', async () => {
    const { http } = await ready(start());
    const ask = async (headers: Record<string, string>) =>
      ((await (await fetch(`http://127.0.0.1:${http}/`, { headers })).json()) as { traceparent: string }).traceparent;
    const given = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(await ask({ traceparent: given })).toBe(given);
    expect(await ask({ traceparent: 'nonsense' })).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });

  it('is live but not ready while its database is unavailable or its schema is outdated, and becomes ready by itself', async () => {
    const away = start({ GREETER_DATABASE: '1', DATABASE_URL: 'postgres://x:y@127.0.0.1:9/none' });
    const { health, grpc } = await ready(away);
    expect((await fetch(`http://127.0.0.1:${health}/livez`)).status).toBe(200);
    const readiness = await fetch(`http://127.0.0.1:${health}/readyz`);
    expect(readiness.status).toBe(503);
    expect(await readiness.json()).toMatchObject({
      ready: false,
      checks: { database: expect.stringContaining('ECONNREFUSED') },
    });
    const client = grpcClient<HealthServer>(HealthDefinition, `127.0.0.1:${grpc}`, { identity, server: 'auth' });
    expect(await client.check({ service: '' }, context)).toEqual({ serving: false });
    client.close();
    away.kill('SIGTERM');
    expect(await away.exit()).toBe(0);
  });

  it('without NATS a service is ready and degraded, and can be drained', async () => {
    const service = start({ GREETER_NATS: '1', NATS_URL: 'nats://127.0.0.1:9' });
    const { health } = await ready(service);
    const readiness = await fetch(`http://127.0.0.1:${health}/readyz`);
    expect([readiness.status, await readiness.json()]).toEqual([
      200,
      { ready: true, checks: { process: 'ok', nats: 'not connected' }, degraded: ['nats'] },
    ]);
    const metrics = await (await fetch(`http://127.0.0.1:${health}/metrics`)).text();
    expect(metrics).toMatch(/^parley_degraded\{.*dependency="nats".*\} 1$/m);
    service.kill('SIGTERM');
    expect(await service.exit()).toBe(0);
  });
});
