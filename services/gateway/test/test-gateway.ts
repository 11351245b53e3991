import type { Server } from 'node:http';
import net from 'node:net';
import { Agent, request as send } from 'undici';
import type { Maintenance } from '@parley/proto/auth';
import {
  createLogger,
  createRedis,
  Registry,
  startHttpServer,
  systemClock,
  type Clock,
  type ServiceName,
  type UnaryDefinition,
} from '@parley/runtime';
import { eventually, testIdentity, grpcClient, publicClient } from '@parley/testing';
import { build } from '../src/build';
import { GatewayConfig } from '../src/config';
import { FakeServices } from './fake-services';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: Record<string, unknown>;
}

export interface RequestOptions {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** An object is sent as JSON, anything else as it is. */
  readonly body?: object | string | Buffer;
}

/** Shared by all tests, because each logger on stdout adds a listener for the end of the process. */
const silent = createLogger({ service: 'gateway', level: 'silent' });

/** The complete gateway in this process, in front of fake services. */
export class TestGateway {
  private constructor(
    readonly url: string,
    readonly services: FakeServices,
    readonly logged: Record<string, unknown>[],
    readonly metrics: Registry,
    private readonly stops: (() => Promise<void> | void)[],
    private readonly leaving: AbortController,
    /** The HTTP server, whose timeouts tests may shorten. */
    readonly server: Server,
  ) {}

  /** Begins the shutdown, which ends open streams. */
  leave(): void {
    this.leaving.abort();
  }

  /** @param settings of the gateway's configuration, and of Redis if the test needs it */
  static async start(
    settings: Partial<GatewayConfig> = {},
    services = new FakeServices(),
    clock: Clock = systemClock,
  ): Promise<TestGateway> {
    const address = await services.start();
    const stops: (() => Promise<void> | void)[] = [() => services.stop()];
    const logged: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) };
    const config = Object.assign(new GatewayConfig(), {
      authAddress: address,
      agentsAddress: address,
      voiceStackAddress: address,
      telephonyAddress: address,
      knowledgeAddress: address,
      webhooksAddress: address,
      insightsAddress: address,
      ...settings,
    });
    const redis = createRedis({
      url: config.redisUrl,
      name: 'gateway-test',
      log: silent,
    });
    stops.unshift(() => redis.close());
    const identity = testIdentity('gateway');
    const client = <Server>(definition: UnaryDefinition<Server>, target: string, server?: ServiceName) => {
      const opened = grpcClient<Server>(definition, target, { identity, server });
      stops.unshift(() => opened.close());
      return opened;
    };
    const connectPublic = (server: ServiceName, target: string) => {
      const opened = publicClient(target, { identity, server });
      stops.unshift(() => opened.close());
      return opened;
    };
    const log = createLogger({ service: 'gateway', destination });
    const metrics = new Registry();
    const leaving = new AbortController();
    const { signal } = leaving;
    const parts = build({ config, log, metrics, clock, client, publicClient: connectPublic, redis, signal });
    for (const job of parts.jobs) {
      await job.start();
      stops.unshift(() => job.stop());
    }
    let listening: Server | undefined;
    const onServer = (one: Server): void => {
      listening = one;
      parts.http.onServer?.(one);
    };
    const server = await startHttpServer({ ...parts.http, onServer }, '127.0.0.1', 0);
    if (listening === undefined) throw new Error('the edge was given no server');
    stops.unshift(async () => {
      const drained = server.drain();
      server.close();
      await drained;
    });
    const url = `http://127.0.0.1:${server.port}`;
    const gateway = new TestGateway(url, services, logged, metrics, stops, leaving, listening);
    await eventually(async () => (services.callsOf('getControlState').length > 0 ? true : undefined));
    return gateway;
  }

  async stop(): Promise<void> {
    this.leave();
    await this.dispatcher.destroy();
    for (const stop of this.stops) await stop();
  }

  private readonly dispatcher = new Agent({ keepAliveTimeout: 1_000 });

  async request(method: string, path: string, { token, headers, body }: RequestOptions = {}): Promise<Answer> {
    const plain = typeof body === 'string' || Buffer.isBuffer(body) || body === undefined;
    const answer = await send(this.url + path, {
      method: method as 'GET',
      dispatcher: this.dispatcher,
      headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
      body: plain ? body : JSON.stringify(body),
    });
    const text = await answer.body.text();
    return { status: answer.statusCode, headers: answer.headers, text, body: parsed(text) };
  }

  /** Writes text on a new connection, ends the client's side if `half` is set, and returns everything received until the server closed. */
  async raw(text: string | Buffer, half = false): Promise<string> {
    const { port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      let answer = '';
      const socket = net.connect(Number(port), '127.0.0.1', () => (half ? socket.end(text) : socket.write(text)));
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => (answer += chunk));
      socket.on('end', () => {
        socket.end();
        resolve(answer);
      });
      // A server that closes with unread data may reset the connection after its answer.
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    });
  }

  /** Writes `first`, waits until the received text matches, writes `then`, and returns everything received. */
  async rawInSteps(first: string, until: RegExp, then: string): Promise<string> {
    const { port } = new URL(this.url);
    return new Promise((resolve, reject) => {
      let answer = '';
      let written = false;
      const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(first));
      socket.setEncoding('utf8');
      socket.on('data', (chunk: string) => {
        answer += chunk;
        if (written || !until.test(answer)) return;
        written = true;
        socket.write(then);
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', (error) => (answer === '' ? reject(error) : resolve(answer)));
    });
  }

  /** The log line of a request, which is written after its answer was sent. */
  async logOf(answer: Answer): Promise<Record<string, unknown>> {
    return eventually(() => this.logged.find((line) => line.request_id === answer.headers['x-request-id']));
  }

  /** Starts or ends maintenance and waits until the gateway has applied it. */
  async maintenance(active: boolean, window: Partial<Maintenance> = {}): Promise<void> {
    const { services } = this;
    const maintenance = { active, retryAfterSeconds: 60, startsAt: '', endsAt: '', message: '', ...window };
    services.controlState = {
      ...services.controlState,
      epoch: String(Number(services.controlState.epoch) + 1),
      maintenance,
    };
    const { epoch } = services.controlState;
    // A poll for changes after this one shows that it was applied.
    const applied = () => services.callsOf('getControlState').some(({ request }) => request.sinceEpoch === epoch);
    await eventually(() => (applied() ? true : undefined));
  }
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
