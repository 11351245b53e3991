import { createRequire } from 'node:module';
import type { RedisClientType } from '@redis/client';
import type { Logger } from './log';

export type RedisClient = RedisClientType;

/** Redis as an optional dependency: every use has a fallback value and waits only briefly. */
export interface RedisHandle {
  /** Runs `work` if Redis responds. Resolves with `fallback` if Redis is not configured, is unavailable, exceeds the timeout or fails. Never rejects. */
  run<T>(work: (client: RedisClient) => Promise<T>, fallback: T): Promise<T>;
  readonly connected: boolean;
  close(): Promise<void>;
}

export interface RedisOptions {
  /** A function is called for user and password at each connection, so that they can be rotated. */
  url?: string | (() => string);
  name: string;
  log: Logger;
  /** Timeout of a use in milliseconds; default 100. */
  patienceMs?: number;
}

/** Loads and connects nothing before the first `run`; reconnects without limit. */
export function createRedis({ url, name, log, patienceMs = 100 }: RedisOptions): RedisHandle {
  return new LazyRedis(url, name, log, patienceMs);
}

/** Removes the login from the URL, because the client would use it and ignore any other. */
function withoutLogin(text: string): string {
  const url = new URL(text);
  url.username = '';
  url.password = '';
  return url.href;
}

function loginOf(text: string): { username?: string; password?: string } {
  const { username, password } = new URL(text);
  return {
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}

class LazyRedis implements RedisHandle {
  private client: RedisClient | undefined;
  private closed = false;
  private away = false;

  constructor(
    private readonly url: string | (() => string) | undefined,
    private readonly name: string,
    private readonly log: Logger,
    private readonly patienceMs: number,
  ) {}

  get connected(): boolean {
    return this.client?.isReady ?? false;
  }

  async run<T>(work: (client: RedisClient) => Promise<T>, fallback: T): Promise<T> {
    const client = this.ready();
    if (client === undefined) return fallback;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<T>((resolve) => {
      timer = setTimeout(resolve, this.patienceMs, fallback);
    });
    // Handles a rejection that arrives after the timeout.
    const result = work(client).catch((error: unknown) => {
      this.log.debug({ err: error }, 'redis command failed');
      return fallback;
    });
    try {
      return await Promise.race([result, patience]);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    if (this.client === undefined) return;
    this.client.destroy();
    this.client = undefined;
  }

  private ready(): RedisClient | undefined {
    if (this.closed || this.url === undefined) return undefined;
    const { url } = this;
    this.client ??= this.open(typeof url === 'function' ? url : () => url);
    return this.client.isReady ? this.client : undefined;
  }

  private open(url: () => string): RedisClient {
    // Loaded here, so that a process without Redis does not load the client.
    const { createClient } = createRequire(__filename)('@redis/client') as typeof import('@redis/client');
    const client: RedisClient = createClient({
      url: withoutLogin(url()),
      credentialsProvider: {
        type: 'async-credentials-provider',
        credentials: () => Promise.resolve(loginOf(url())),
      },
      name: this.name,
      disableOfflineQueue: true,
      pingInterval: 10_000,
      socket: { connectTimeout: 2_000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 2_000) },
    });
    client.on('error', (error: unknown) => {
      if (!this.away) this.log.warn({ err: error }, 'redis unavailable');
      this.away = true;
    });
    client.on('ready', () => {
      this.away = false;
      this.log.info('redis connected');
    });
    client.connect().catch(() => undefined);
    return client;
  }
}
