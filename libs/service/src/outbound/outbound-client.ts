import { once } from 'node:events';
import { Agent, request } from 'undici';
import type { AddressPolicy } from '../addresses/address-policy.rules';
import { networkErrorOf, type NetworkError } from './network-error';
import { createResolver, vettedConnector, type Resolve } from './vetted-connector';

export interface OutboundRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** Timeout in milliseconds, from name resolution to the last byte. */
  readonly timeoutMs: number;
  /** Maximum of response bytes that are read; the client does not wait for the rest. */
  readonly mostBytes: number;
  /** Aborts the request. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of one request; failures are values too and are not thrown. */
export interface OutboundAnswer {
  /** HTTP status; undefined if there was no response. */
  readonly status?: number;
  /** Undefined if the response was read completely, or up to the size limit. */
  readonly error?: NetworkError | 'canceled';
  /** The response's content type; undefined if it has none. */
  readonly contentType?: string;
  readonly body: Buffer;
  /** Whether the response is longer than what was read. */
  readonly truncated: boolean;
  readonly latencyMs: number;
}

export interface OutboundClient {
  /** Sends the request at most once: one that may have arrived is not repeated. Never rejects. */
  send(request: OutboundRequest): Promise<OutboundAnswer>;
  close(): Promise<void>;
}

export interface OutboundClientOptions {
  readonly policy: AddressPolicy;
  readonly resolve?: Resolve;
  /** Certificate authorities in addition to the system's; PEM. */
  readonly ca?: string;
}

/**
 * A client for requests to addresses that customers specify: connections whose address is checked (`vettedConnector`), HTTP/1.1, verified TLS, no redirects.
 * Each request uses a new connection: a kept-alive one may be closed at the moment when it is reused, and then it would be unknown whether the request has
 * arrived.
 */
export function createOutboundClient({ policy, resolve, ca }: OutboundClientOptions): OutboundClient {
  const agent = new Agent({
    connect: vettedConnector({ policy, resolve: resolve ?? createResolver(policy), timeoutMs: 10_000, ca }),
    pipelining: 0,
    maxHeaderSize: 32 * 1024,
    // The abort signal is the only timeout.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    async send({ method, url, headers, body, timeoutMs, mostBytes, signal }) {
      const started = performance.now();
      const latencyMs = (): number => Math.round(performance.now() - started);
      const deadline = AbortSignal.timeout(timeoutMs);
      const ends = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
      let status: number | undefined;
      try {
        const asked = request(url, { dispatcher: agent, method, headers: { ...headers }, body, signal: ends });
        // The library notices an abort only once it is connected, but name resolution may take longer than the timeout.
        const answer = await Promise.race([asked, rejectedBy(ends)]);
        status = answer.statusCode;
        const { 'content-type': contentType } = answer.headers;
        const read = await readStart(answer.body, mostBytes);
        const named = typeof contentType === 'string' ? { contentType } : {};
        return { status, ...named, ...read, latencyMs: latencyMs() };
      } catch (error) {
        const reason = signal?.aborted === true ? 'canceled' : networkErrorOf(error, deadline);
        return { status, error: reason, body: Buffer.alloc(0), truncated: false, latencyMs: latencyMs() };
      }
    },
    close: () => agent.destroy(),
  };
}

async function rejectedBy(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

async function readStart(
  body: AsyncIterable<unknown>,
  mostBytes: number,
): Promise<Pick<OutboundAnswer, 'body' | 'truncated'>> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    parts.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    // Leaving the loop closes the body and with it the connection.
    if (size > mostBytes) break;
  }
  return { body: Buffer.concat(parts).subarray(0, mostBytes), truncated: size > mostBytes };
}
