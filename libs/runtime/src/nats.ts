import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from './log';

/** One connection for the whole process, made at the first use and kept through every outage. */
export interface NatsConnections {
  /** Resolves once the server has answered for the first time; waits for it as long as it takes. */
  connection(): Promise<NatsConnection>;
  jetstream(): Promise<JetStreamClient>;
  manager(): Promise<JetStreamManager>;
  /** True once somebody asked for the connection. */
  readonly used: boolean;
  /** Whether the server can be reached now. */
  readonly connected: boolean;
  /** Called after every reconnection. Returns the function that removes the listener. */
  onReconnect(listener: () => void): () => void;
  close(): Promise<void>;
}

/** @param url one or several servers by comma; absent: every use rejects, naming NATS_URL */
export function createNats(options: { url?: string; name: string; log: Logger }): NatsConnections {
  return new LazyNats(options.url, options.name, options.log);
}

const FIRST_CONNECT_PAUSE_MS = 250;

/** The library could wait for the first answer by itself, but not give up when the process leaves. */
const connectionOptions = {
  maxReconnectAttempts: -1,
  reconnectTimeWait: 250,
  reconnectJitter: 100,
  pingInterval: 5_000,
  maxPingOut: 2,
  timeout: 5_000,
} as const;

/** Ends early, without an error, when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

class LazyNats implements NatsConnections {
  private opening: Promise<NatsConnection> | undefined;
  private readonly listeners = new Set<() => void>();
  private up = false;
  private readonly closing = new AbortController();
  private managing: Promise<JetStreamManager> | undefined;

  constructor(
    private readonly url: string | undefined,
    private readonly name: string,
    private readonly log: Logger,
  ) {}

  get used(): boolean {
    return this.opening !== undefined;
  }

  get connected(): boolean {
    return this.up;
  }

  connection(): Promise<NatsConnection> {
    if (this.closing.signal.aborted) return Promise.reject(new Error('the NATS connection is closed'));
    return (this.opening ??= this.open());
  }

  async jetstream(): Promise<JetStreamClient> {
    return jetstream(await this.connection());
  }

  manager(): Promise<JetStreamManager> {
    // checkAPI would ask the server at once, and it may be away.
    return (this.managing ??= this.connection().then((connection) =>
      jetstreamManager(connection, { checkAPI: false }),
    ));
  }

  onReconnect(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.closing.abort();
    // What never came up rejects now.
    const connection = await this.opening?.catch(() => undefined);
    if (connection === undefined || connection.isClosed()) return;
    // There is nothing to flush to a server that is away.
    await (this.up ? connection.drain() : connection.close());
  }

  private async open(): Promise<NatsConnection> {
    if (this.url === undefined) throw new Error('NATS_URL is not set');
    const servers = this.url.split(',').map((server) => server.trim());
    let waiting = false;
    while (!this.closing.signal.aborted) {
      try {
        const connection = await connect({ ...connectionOptions, servers, name: this.name });
        this.up = true;
        this.log.info('nats connected');
        this.follow(connection).catch((error: unknown) => this.log.error({ err: error }, 'nats status lost'));
        return connection;
      } catch (error) {
        if (!waiting) this.log.warn({ err: error }, 'waiting for nats');
        waiting = true;
        await sleep(FIRST_CONNECT_PAUSE_MS, this.closing.signal);
      }
    }
    throw new Error('the NATS connection is closed');
  }

  private async follow(connection: NatsConnection): Promise<void> {
    for await (const event of connection.status()) {
      if (event.type === 'disconnect') {
        this.up = false;
        this.log.warn('nats disconnected');
      } else if (event.type === 'reconnect') {
        this.up = true;
        this.log.info('nats reconnected');
        for (const listener of [...this.listeners]) listener();
      } else if (event.type === 'close') {
        this.up = false;
      }
    }
  }
}
