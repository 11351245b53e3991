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
  /** The headers that name the client. */
  readonly client?: Readonly<Record<string, string>>;
}

export interface GatewayClient {
  /** A request of the console itself. Never rejects: an unavailable gateway is a 503. */
  json(asking: Asking): Promise<Answered>;
  /** Forwards a request of a page. @throws if the gateway is unavailable */
  pass(request: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  /** Undefined if the gateway responds. */
  waitsFor(): Promise<string | undefined>;
}

const deadlineMs = 10_000;

/** @param identity the client identity for the gateway's internal port. Default: a public address */
export function gatewayClient(url: string, identity: ServiceIdentity | undefined): GatewayClient {
  const { origin } = new URL(url);
  const pool = new Pool(origin, {
    connections: 256,
    keepAliveTimeout: 30_000,
    connect: identity && internalConnector(identity),
    // Event streams may be idle; the gateway sends a comment every few seconds.
    bodyTimeout: 120_000,
    headersTimeout: 35_000,
  });

  const json = async ({ method, path, token, client }: Asking): Promise<Answered> => {
    try {
      const answer = await pool.request({
        method,
        path,
        headers: { authorization: `Bearer ${token}`, ...client },
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
      // Any response of the gateway is enough; without a key it is 401.
      const { status } = await json({ method: 'GET', path: '/v1/me', token: '' });
      return status === 503 ? 'the gateway' : undefined;
    },
  };
}

/** Connects with the current certificates, to a server with the gateway's certificate. */
const internalConnector =
  (identity: ServiceIdentity): buildConnector.connector =>
  (options, callback) => {
    const servername = identityHost('gateway');
    buildConnector({ ...identity.tlsOptions(), servername })({ ...options, servername }, callback);
  };
