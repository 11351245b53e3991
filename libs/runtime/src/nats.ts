import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from './log';
import { natsServers, natsTls } from './nats-url';
import { pause } from './pause';

/** The NATS connection of the process. It is opened at the first use and re-established after every outage. */
export interface NatsConnections {
  /** Resolves once the server has responded for the first time; waits without a limit. */
  connection(): Promise<NatsConnection>;
  jetstream(): Promise<JetStreamClient>;
  manager(): Promise<JetStreamManager>;
  /** The prefix of this process's reply subjects. Permissions prevent other users from subscribing to them. */
  readonly inboxPrefix: string;
  /** Whether the connection was ever requested. */
  readonly used: boolean;
  /** Whether the server can be reached now. */
  readonly connected: boolean;
  /** Registers a listener that is called after every reconnection. Returns the function that removes it. */
  onReconnect(listener: () => void): () => void;
  close(): Promise<void>;
}

/**
 * @param options.url one or several servers separated by commas, with user name and password in the first or in each; `tls://` requires TLS. If absent, every use rejects with an
 * error that names NATS_URL. A function is called for name and password at each connection, so that they can be replaced
 * @param options.name the name of the service, which is also its NATS user
 */
export function createNats(options: { url?: string | (() => string); name: string; log: Logger }): NatsConnections {
  return new LazyNats(options.url, options.name, options.log);
}

const FIRST_CONNECT_PAUSE_MS = 250;

/** The library could wait for the first connection itself, but then the wait could not be stopped when the process exits. */
const connectionOptions = {
  maxReconnectAttempts: -1,
  // While a password is rotated, it is refused for some time; a connection that gave up then would require a restart.
  ignoreAuthErrorAbort: true,
  reconnectTimeWait: 250,
  reconnectJitter: 100,
  pingInterval: 5_000,
  maxPingOut: 2,
  timeout: 5_000,
} as const;

/** The user and password for a connection, requested by the client each time; undefined if the URL contains no user. */
function loginOf(url: string): { user: string; pass: string } | undefined {
  const { user, pass = '' } = natsServers(url);
  return user === undefined ? undefined : { user, pass };
}

class LazyNats implements NatsConnections {
  private opening: Promise<NatsConnection> | undefined;
  private readonly listeners = new Set<() => void>();
  private up = false;
  private readonly closing = new AbortController();
  private managing: Promise<JetStreamManager> | undefined;
  readonly inboxPrefix: string;

  constructor(
    private readonly url: string | (() => string) | undefined,
    private readonly name: string,
    private readonly log: Logger,
  ) {
    this.inboxPrefix = `_INBOX.${name}`;
  }

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
    // checkAPI would query the server at once, although it may be unavailable.
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
    // If the connection was never established, this promise rejects now.
    const connection = await this.opening?.catch(() => undefined);
    if (connection === undefined || connection.isClosed()) return;
    // Nothing can be flushed while the server is unavailable.
    await (this.up ? connection.drain() : connection.close());
  }

  private async open(): Promise<NatsConnection> {
    if (this.url === undefined) throw new Error('NATS_URL is not set');
    const { inboxPrefix, name, url } = this;
    const now = typeof url === 'function' ? url : () => url;
    const { servers } = natsServers(now());
    const authenticator = () => loginOf(now());
    const options = { ...connectionOptions, ...natsTls(servers), servers, authenticator, name, inboxPrefix };
    let waiting = false;
    while (!this.closing.signal.aborted) {
      try {
        const connection = await connect(options);
        this.up = true;
        this.log.info('nats connected');
        this.follow(connection).catch((error: unknown) => this.log.error({ err: error }, 'nats status lost'));
        return connection;
      } catch (error) {
        if (!waiting) this.log.warn({ err: error }, 'waiting for nats');
        waiting = true;
        await pause(FIRST_CONNECT_PAUSE_MS, this.closing.signal);
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
      } else if (event.type === 'error') {
        this.log.error({ err: event.error }, 'NATS refused a request of this service');
      } else if (event.type === 'close') {
        this.up = false;
      }
    }
  }
}
