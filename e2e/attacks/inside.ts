import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import http2 from 'node:http2';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import tls from 'node:tls';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { jetstreamManager } from '@nats-io/jetstream';
import { root } from '../platform';
import { until } from '../until';
import type { World } from './world';

/** Findings A3 and B11, and the worker's key in network traffic: an attacker with access to the internal network, or in control of one service. */
export function insideAttacks(world: () => World): void {
  const grpcServices = ['auth', 'agents', 'voice-stack', 'knowledge', 'telephony', 'webhooks', 'insights'] as const;
  const processOf = (name: string) => {
    const found = world().platform.processes.find((one) => one.name === name);
    if (found === undefined) throw new Error(`${name} does not run`);
    return found;
  };
  /** The environment of a process: what an attacker in control of the process can read. */
  const environmentOf = (name: string): Record<string, string> =>
    Object.fromEntries(
      readFileSync(`/proc/${processOf(name).pid}/environ`, 'utf8')
        .split('\0')
        .filter((line) => line !== '')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    );

  describe('A3: gRPC', () => {
    const answered = (session: http2.ClientHttp2Session): Promise<string> =>
      new Promise((resolve) => {
        session.on('error', () => resolve('refused'));
        session.on('close', () => resolve('refused'));
        const headers = {
          ':method': 'POST',
          ':path': '/parley.auth.v1.AuthService/GetControlState',
          'content-type': 'application/grpc',
        };
        const stream = session.request({ ...headers, te: 'trailers' });
        stream.on('response', (response) =>
          resolve(`answered ${String(response['grpc-status'] ?? response[':status'])}`),
        );
        stream.on('error', () => resolve('refused'));
        stream.end(Buffer.alloc(5));
      });
    const attempt = async (open: () => http2.ClientHttp2Session): Promise<string> => {
      const session = open();
      try {
        return await answered(session);
      } finally {
        session.destroy();
      }
    };

    it.each(grpcServices)('%s answers no client in the clear, and none without a certificate', async (name) => {
      const port = processOf(name).grpc_port;
      expect(await attempt(() => http2.connect(`http://127.0.0.1:${port}`))).toBe('refused');
      expect(await attempt(() => http2.connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }))).toBe(
        'refused',
      );
    });
  });

  describe('B11: NATS', () => {
    const open: NatsConnection[] = [];
    afterAll(() => Promise.all(open.map((connection) => connection.close())));
    const as = async (name: string): Promise<NatsConnection> => {
      const { host, username, password } = new URL(environmentOf(name)['NATS_URL'] ?? '');
      const inboxPrefix = `_INBOX.${name}`;
      const connection = await connect({
        servers: host,
        user: username,
        pass: password,
        inboxPrefix,
        reconnect: false,
      });
      open.push(connection);
      return connection;
    };
    const act = () =>
      JSON.stringify({
        organization_id: world().customer.organizationId,
        actor_key_id: 'key_operator',
        action: 'agent.suspended',
        subject: world().customer.agentId,
        detail: {},
        created_at: new Date().toISOString(),
      });
    const acts = async (): Promise<number> => {
      const administrator = await connect(world().platform.natsServer);
      try {
        return (await (await jetstreamManager(administrator)).streams.info('AUDIT')).state.last_seq;
      } finally {
        await administrator.close();
      }
    };

    it('lets no client in without a user', async () => {
      const { servers } = world().platform.natsServer;
      await expect(connect({ servers, reconnect: false })).rejects.toThrow();
      await expect(connect({ servers, user: 'platform', pass: 'platform', reconnect: false })).rejects.toThrow();
    });

    it.each(['auth', 'telephony', 'webhooks', 'insights'])('%s publishes no suspension of an agent', async (name) => {
      const connection = await as(name);
      const { organizationId, agentId } = world().customer;
      const before = await acts();
      for (const subject of [`audit.v1.${organizationId}.agents`, `audit.v1.${organizationId}`]) {
        await expect(connection.request(subject, act(), { timeout: 5_000 })).rejects.toThrow();
      }
      expect(await acts()).toBe(before);
      // The audit subject under which the service may publish does not allow it to suspend an agent either.
      if (name !== 'auth') {
        await connection.request(`audit.v1.${organizationId}.${name}`, act(), { timeout: 5_000 });
        await until('auth took the act in', async () => (await deadLetters(world())) > 0);
      }
      expect((await world().customer.api.get(`/v1/agents/${agentId}`)).body.status).toBe('active');
      const call = await world().customer.call('+15005550001');
      expect(call.call_id).toMatch(/^call_/);
    });

    it('agents, which may, cannot publish events, nor read those of anybody', async () => {
      const connection = await as('agents');
      const subject = `events.v1.${world().customer.organizationId}.call.completed`;
      await expect(connection.request(subject, '{}', { timeout: 5_000 })).rejects.toThrow();
      const subscription = connection.subscribe('events.v1.>', { callback: () => undefined });
      expect(await subscription.closed).toBeInstanceOf(Error);
    });
  });

  it('Redis answers no client without its password', async () => {
    const { port } = new URL(environmentOf('gateway')['REDIS_URL'] ?? '');
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = net.connect(Number(port), '127.0.0.1', () => socket.write('KEYS *\r\n'));
      socket.once('data', (data) => {
        socket.destroy();
        resolve(data.toString());
      });
      socket.once('error', reject);
    });
    expect(reply).toMatch(/^-NOAUTH/);
  });

  it('no argument of a process and no log that others can read holds a password', () => {
    const passwords = ['auth', 'agents', 'telephony', 'webhooks', 'insights', 'gateway'].flatMap((name) => {
      const { NATS_URL, REDIS_URL, DATABASE_URL } = environmentOf(name);
      return [NATS_URL, REDIS_URL, DATABASE_URL].flatMap((url) => (url === undefined ? [] : [new URL(url).password]));
    });
    expect(passwords.length).toBeGreaterThanOrEqual(9);
    for (const { name, pid } of world().platform.processes) {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      expect([name, passwords.some((password) => command.includes(password))]).toEqual([name, false]);
      expect([name, world().platform.logMode(`${name}`) & 0o077]).toEqual([name, 0]);
    }
  });

  it('the hosted worker’s key is not on the wire between engine and gateway', async () => {
    const environment = environmentOf('engine');
    const key = environment['SERVICE_WORKER_API_TOKEN'] ?? '';
    expect(key).toMatch(/^tai_/);
    const gateway = new URL(environment['GATEWAY_URL'] ?? '');
    const seen = { up: [] as Buffer[], down: [] as Buffer[] };
    const relay = net.createServer((engine) => {
      const onward = net.connect(Number(gateway.port), gateway.hostname);
      engine.on('data', (chunk: Buffer) => seen.up.push(chunk));
      onward.on('data', (chunk: Buffer) => seen.down.push(chunk));
      engine.pipe(onward).pipe(engine);
      for (const socket of [engine, onward]) socket.on('error', () => socket.destroy());
    });
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
    const size = (chunks: Buffer[]) => chunks.reduce((sum, { length }) => sum + length, 0);
    // An engine of the attacked installation whose traffic passes a relay.
    const engine = spawn(process.execPath, [path.join(root, 'services/engine/dist/main.js')], {
      env: {
        ...environment,
        GATEWAY_URL: `https://127.0.0.1:${(relay.address() as AddressInfo).port}`,
        GRPC_PORT: '0',
        HEALTH_PORT: '0',
        MEDIA_PORT: '0',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [engine.stdout, engine.stderr])
      stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const gone = once(engine, 'exit');
    try {
      // The handshake, claims and their responses, and a claim that returned a job.
      await until('the engine claims through the relay', () => {
        if (engine.exitCode !== null || engine.signalCode !== null)
          throw new Error(`the engine ended: ${engine.exitCode} ${engine.signalCode}`);
        return size(seen.up) > 4_000 && size(seen.down) > 4_000;
      }).catch((error: unknown) => {
        throw new Error(
          `${size(seen.up)} and ${size(seen.down)} bytes passed, and the engine printed: ${printed.slice(-2_000)}`,
          { cause: error },
        );
      });
      const text = Buffer.concat([...seen.up, ...seen.down]).toString('latin1');
      expect(text).not.toContain(key);
      expect(text).not.toContain(Buffer.from(key).toString('base64').replace(/=+$/, ''));
      expect(text).not.toMatch(/authorization|worker-jobs/i);
    } finally {
      // Killed, because draining waits for calls that it claimed from other tests, which may last for minutes. Another engine continues them.
      engine.kill('SIGKILL');
      await gone;
      relay.close();
    }
  });

  it('the gateway’s inner port takes no engine in the clear and no client without a certificate', async () => {
    const gateway = new URL(environmentOf('engine')['GATEWAY_URL'] ?? '');
    await expect(fetch(`http://127.0.0.1:${gateway.port}/v1/worker-jobs/claim`, { method: 'POST' })).rejects.toThrow();
    const outcome = await new Promise<string>((resolve) => {
      const socket = tls.connect({ host: '127.0.0.1', port: Number(gateway.port), rejectUnauthorized: false }, () =>
        socket.write('GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'),
      );
      socket.once('data', (data) => resolve(data.toString()));
      socket.once('error', () => resolve('refused'));
      socket.once('close', () => resolve('refused'));
    });
    expect(outcome).toBe('refused');
  });
}

/** The number of audit events that auth has rejected. */
async function deadLetters({ platform }: World): Promise<number> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>('select count(*) from auth.dead_letters');
    return Number(rows[0]?.count);
  } finally {
    await client.end();
  }
}
