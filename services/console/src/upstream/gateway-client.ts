import { buildConnector, Pool, type Dispatcher } from 'undici';
import { identityHost, type ServiceIdentity } from '@parley/runtime';

export interface Answered {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter?: string | undefined;
}

export interface Asking {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly token: string;
  /** X-Forwarded-For as it arrived: the gateway counts addresses, and knows how many proxies append to it. */
  readonly forwarded?: string | undefined;
}

export interface GatewayClient {
  /** A request of the console itself. Never rejects: a gateway that is away is a 503. */
  json(asking: Asking): Promise<Answered>;
  /** A request of a page, passed on. @throws where the gateway is away */
  pass(request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Undefined where the gateway answers. */
  waitsFor(): Promise<string | undefined>;
}

const deadlineMs = 10_000;

/** @param identity for the gateway's internal port: who this console is. Default: a public address */
export function gatewayClient(url: string, identity: ServiceIdentity | undefined): GatewayClient {
  const { origin } = new URL(url);
  const pool = new Pool(origin, {
    connections: 256,
    keepAliveTimeout: 30_000,
    connect: identity && internalConnector(identity),
    // Streams of events are silent for as long as nothing happens; the gateway writes a comment every few seconds.
    bodyTimeout: 120_000,
    headersTimeout: 35_000,
  });

  const json = async ({ method, path, token, forwarded }: Asking): Promise<Answered> => {
    try {
      const answer = await pool.request({
        method,
        path,
        headers: { authorization: `Bearer ${token}`, ...(forwarded && { 'x-forwarded-for': forwarded }) },
        signal: AbortSignal.timeout(deadlineMs),
      });
      const retryAfter = answer.headers['retry-after'];
      const text = await answer.body.text();
      return {
        status: answer.statusCode,
        body: JSON.parse(text) as unknown,
        retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined,
      };
    } catch {
      return { status: 503, body: { error: 'unavailable', message: 'the platform does not answer' }, retryAfter: '1' };
    }
  };

  return {
    json,
    pass: (request) => pool.request(request),
    waitsFor: async () => {
      // Any answer of the edge will do; without a key it is 401.
      const { status } = await json({ method: 'GET', path: '/v1/me', token: '' });
      return status === 503 ? 'the gateway' : undefined;
    },
  };
}

/** Connects with the certificates as they are at that time, to a server that shows the certificate of the gateway. */
const internalConnector =
  (identity: ServiceIdentity): buildConnector.connector =>
  (options, callback) => {
    const servername = identityHost('gateway');
    buildConnector({ ...identity.tlsOptions(), servername })({ ...options, servername }, callback);
  };
