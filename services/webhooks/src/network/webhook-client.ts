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

/** What one HTTP exchange came to. Never an exception: every failure has a name. */
export interface Exchange {
  /** HTTP status; undefined when no answer came. */
  readonly status?: number;
  /** Undefined when an answer came in whole (or up to the bytes that are read). */
  readonly error?: NetworkError;
  readonly latencyMs: number;
  /** The first 4 KiB of the answer. */
  readonly body: string;
  /** The Retry-After header as it stands. */
  readonly retryAfter?: string;
}

export interface WebhookClient {
  post(url: string, headers: Readonly<Record<string, string>>, body: Buffer): Promise<Exchange>;
  close(): Promise<void>;
}

export interface WebhookClientOptions {
  readonly policy: AddressPolicy;
  readonly resolve?: Resolve;
  /** Milliseconds for everything, from the look-up to the last byte; default 15 000. */
  readonly totalMs?: number;
  readonly ca?: string;
}

/** How much of an answer is read, and how much is kept. */
const readBytes = 64 * 1024;
const keptBytes = 4 * 1024;

/** A connection that was closed meanwhile fails at the first write; later failures are the receiver's. */
const staleWithinMs = 1_000;

/** Whether a kept-alive connection may have been closed by its peer just when it was used again. */
function wasStale(error: unknown): boolean {
  return errorCodesOf(error).some((code) => code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE');
}

/** Reads up to `readBytes`, keeps the first `keptBytes`; what lies beyond is not waited for. */
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
  // Text for people to look at: NUL would not go into the database.
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
    // The one deadline is the signal's.
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
