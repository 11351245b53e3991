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

/** The result of one HTTP exchange. Failures have a code and are never thrown. */
export interface Exchange {
  /** HTTP status; undefined if there was no response. */
  readonly status?: number;
  /** Undefined if the response was read completely, or up to the size limit. */
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
  /** Timeout in milliseconds from name resolution to the last byte. Default: 15 000. */
  readonly totalMs?: number;
  readonly ca?: string;
}

/** How many bytes of a response are read, and how many are stored. */
const readBytes = 64 * 1024;
const keptBytes = 4 * 1024;

/** If the peer has closed a kept-alive connection, the first write fails within this time. Later failures are the receiver's. */
const staleWithinMs = 1_000;

/** Whether the error means that the peer closed a kept-alive connection just before it was reused. */
function wasStale(error: unknown): boolean {
  return errorCodesOf(error).some((code) => code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE');
}

/** Reads up to `readBytes` of the response and returns the first `keptBytes`, without waiting for the rest. */
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
    // Leaving the loop closes the body and with it the connection.
    if (size >= readBytes) break;
  }
  // NUL is replaced because PostgreSQL does not store it; the text is only displayed.
  return Buffer.concat(kept).toString('utf8').replaceAll('\u0000', '\ufffd');
}

/**
 * Posts to endpoints over connections whose address is checked: HTTP/1.1 with keep-alive and verified TLS; redirects are not followed. The name look-up, the
 * connection, the response's headers and its body must together take less than 15 s.
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
    // The abort signal is the only timeout.
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
