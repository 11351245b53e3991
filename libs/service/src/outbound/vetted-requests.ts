import { Agent as HttpAgent, type AgentOptions, type ClientRequestArgs } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { Agent, fetch as fetchBy, type buildConnector } from 'undici';
import type { AddressPolicy } from '../addresses/address-policy.rules';
import { createResolver, vettedConnector, type Resolve } from './vetted-connector';

/** Requests and WebSockets to addresses that customers specify, for client libraries that accept a `fetch` and an agent of node:http. */
export interface VettedRequests {
  /** Does not follow redirects. The body of a response fails after `mostBytes`. */
  readonly fetch: typeof fetch;
  /** @param url determines whether TLS is used */
  agentOf(url: string): HttpAgent;
  close(): Promise<void>;
}

const connectMs = 10_000;
/** More than six minutes of audio, and many times as much as a model writes in a reply. */
const usualMostBytes = 16 * 1024 * 1024;

export interface VettedRequestsOptions {
  readonly resolve?: Resolve;
  /** Whether connections of `fetch` are kept for further requests, which saves handshakes between consecutive requests. Default: false. */
  readonly keepsConnections?: boolean;
  /** Maximum of bytes in a response of `fetch`, decompressed: a server could otherwise fill the memory of this process. Default: 16 MiB. */
  readonly mostBytes?: number;
}

/** Creates a `fetch` and agents whose connections are all checked (`vettedConnector`). */
export function createVettedRequests(
  policy: AddressPolicy,
  { resolve, keepsConnections = false, mostBytes = usualMostBytes }: VettedRequestsOptions = {},
): VettedRequests {
  const connect = vettedConnector({ policy, resolve: resolve ?? createResolver(policy), timeoutMs: connectMs });
  const dispatcher = new Agent({ connect, pipelining: keepsConnections ? 1 : 0, headersTimeout: 0, bodyTimeout: 0 });
  const secure = vettedAgent(new HttpsAgent({ keepAlive: false }), connect, 'https:');
  const plain = vettedAgent(new HttpAgent({ keepAlive: false }), connect, 'http:');
  return {
    // The library and the runtime have separate but compatible types for fetch.
    fetch: async (input, init) => {
      const asked = [input, { ...init, dispatcher, redirect: 'manual' }];
      return bounded(await (Reflect.apply(fetchBy, undefined, asked) as Promise<Response>), mostBytes);
    },
    agentOf: (url) => (/^(https|wss):/i.test(url) ? secure : plain),
    close: () => dispatcher.destroy(),
  };
}

/** The same response, with a body that fails once it is longer than `mostBytes`. */
function bounded(response: Response, mostBytes: number): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  let bytes = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > mostBytes) controller.error(new Error(`the response is longer than ${mostBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(counted), { status, statusText, headers });
}

type Connected = (error: Error | null, stream: Duplex) => void;

function vettedAgent<Of extends HttpAgent>(agent: Of, connect: buildConnector.connector, protocol: string): Of {
  return Object.assign(agent, {
    createConnection({ host, port }: ClientRequestArgs & AgentOptions, connected: Connected): undefined {
      const hostname = host ?? '';
      const target = { hostname, host: hostname, protocol, port: String(port ?? '') };
      connect(target, (error, socket) => connected(error, socket as Duplex));
    },
  });
}
