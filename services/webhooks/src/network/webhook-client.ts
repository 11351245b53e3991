import { Agent, request, type Dispatcher } from 'undici';
import {
  createResolver,
  errorCodesOf,
  networkErrorOf,
  vettedConnector,
  type AddressPolicy,
  type NetworkError,
  type Resolve,
} from '@parley/service';

/** The result of one HTTP exchange. Never an exception: every failure has a code. */
export interface Exchange {
  /** HTTP status; undefined without a response. */
  readonly status?: number;
  /** Undefined if the response was read completely (or up to the size limit). */
  readonly error?: NetworkError;
  readonly latencyMs: number;
  /** The first 4 KiB of the response. */
  readonly body: string;
  /** The Retry-After header, not parsed. */
  readonly retryAfter?: string;
}

export interface WebhookClient {
  post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<Exchange>;
  close(): Promise<void>;
}

export interface WebhookClientOptions {
  readonly policy: AddressPolicy;
  readonly resolve?: Resolve;
  /** Timeout in milliseconds, from name resolution to the last byte; default 15 000. */
  readonly totalMs?: number;
  readonly ca?: string;
}

/** How much of a response is read, and how much is stored. */
const readBytes = 64 * 1024;
const keptBytes = 4 * 1024;

/** A connection closed meanwhile fails at the first write; later failures are the receiver's. */
const staleWithinMs = 1_000;

/** Whether the peer may have closed a kept-alive connection just before it was reused. */
function wasStale(error: unknown): boolean {
  return errorCodesOf(error).some((code) => code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE');
}

/** Reads up to `readBytes` and stores the first `keptBytes`; does not wait for the rest. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let keptSize = 0;
  let size = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    if (keptSize < keptBytes) {
      const part = bytes.subarray(0, keptBytes - keptSize);
      kept.push(part);
      keptSize += part.length;
    }
    size += bytes.length;
    // Leaving the loop destroys the body and with it the connection.
    if (size >= readBytes) break;
  }
  // Only for display: PostgreSQL does not store NUL.
  return Buffer.concat(kept).toString('utf8').replaceAll('\u0000', '\ufffd');
}

/**
 * Posts to endpoints over vetted connections, HTTP/1.1 with kept-alive connections, TLS verified, no redirect followed.
 * A peer has 15 s for the look-up, the connection, the answer's head and its body together.
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { policy, totalMs = 15_000, ca } = options;
  const agent = new Agent({
    connect: vettedConnector({
      policy,
      resolve: options.resolve ?? createResolver(policy),
      timeoutMs: Math.min(totalMs, 10_000),
      ca,
    }),
    pipelining: 1,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 30_000,
    maxHeaderSize: 32 * 1024,
    // The only timeout is that of the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  const once = async (url: string, headers: Readonly<Record<string, string>>, body: Buffer, signal: AbortSignal) => {
    const answer = await request(url, { dispatcher: agent, method: 'POST', headers: { ...headers }, body, signal });
    return { answer, text: await readStart(answer.body) };
  };

  return {
    async post(url, headers, body) {
      const started = performance.now();
      const latencyMs = (): number => Math.round(performance.now() - started);
      const controller = new AbortController();
      const { signal } = controller;
      const timer = setTimeout(() => controller.abort(), totalMs);
      let status: number | undefined;
      try {
        const { answer, text } = await once(url, headers, body, signal).catch((error: unknown) => {
          if (!wasStale(error) || latencyMs() > staleWithinMs) throw error;
          return once(url, headers, body, signal);
        });
        status = answer.statusCode;
        const retryAfter = answer.headers['retry-after'];
        return {
          status,
          latencyMs: latencyMs(),
          body: text,
          ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
        };
      } catch (error) {
        return { status, error: networkErrorOf(error, signal), latencyMs: latencyMs(), body: '' };
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => agent.destroy(),
  };
}
