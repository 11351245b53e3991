/** The address and credentials of an Asterisk's REST interface. */
export interface AriOptions {
  /** For example http://asterisk:8088/ari. */
  readonly url: string;
  readonly user: string;
  /** A secret. */
  readonly password: string;
  readonly timeoutMs: number;
}

export interface AriAnswer {
  readonly status: number;
  /** Undefined if the response has no body. */
  readonly body: unknown;
}

export interface AriRequest {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** There was no response. `code` is the system's error code, such as ECONNREFUSED; the address is not included. */
export class AriUnreachable extends Error {
  constructor(
    readonly code: string,
    /** Whether it is certain that the request did not reach Asterisk. */
    readonly neverSent: boolean,
  ) {
    super(`Asterisk does not respond: ${code}`);
    this.name = 'AriUnreachable';
  }
}

const neverSent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A client of Asterisk's REST interface (ARI). */
export class AriClient {
  private readonly base: string;

  constructor(private readonly options: AriOptions) {
    this.base = options.url.replace(/\/+$/, '');
  }

  get authorization(): string {
    const { user, password } = this.options;
    return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  }

  /** The URL of the WebSocket for events. */
  eventsUrl(app: string): string {
    return `${this.base.replace(/^http/, 'ws')}/events?app=${encodeURIComponent(app)}&subscribeAll=true`;
  }

  /** Sends a request and returns the response, whatever its status. @throws AriUnreachable */
  async request(method: string, path: string, { query = {}, body }: AriRequest = {}): Promise<AriAnswer> {
    const asked = new URLSearchParams(query).toString();
    try {
      const response = await fetch(`${this.base}${path}${asked === '' ? '' : `?${asked}`}`, {
        method,
        headers: {
          authorization: this.authorization,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: 'error',
        signal: AbortSignal.timeout(this.options.timeoutMs),
      });
      const text = await response.text();
      return { status: response.status, body: jsonOf(text) };
    } catch (error) {
      const code = codeOf(error);
      throw new AriUnreachable(code, neverSent.has(code));
    }
  }
}

function jsonOf(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : undefined;
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return cause.code;
  return error instanceof Error ? error.name : 'unknown';
}

/** The settings of a service that uses an Asterisk, as in its configuration. */
export interface SipSettings {
  readonly sipAriUrl?: string | undefined;
  readonly sipAriUser: string;
  readonly sipAriPassword: string;
  readonly sipAriTimeoutMs: number;
}

/** The format of SIP_ARI_URL. */
export const ariUrlForm = /^https?:\/\/[^\s?#@]+$/;

/** Undefined if no Asterisk is configured. */
export const ariOptionsOf = (settings: SipSettings): AriOptions | undefined =>
  settings.sipAriUrl === undefined
    ? undefined
    : {
        url: settings.sipAriUrl,
        user: settings.sipAriUser,
        password: settings.sipAriPassword,
        timeoutMs: settings.sipAriTimeoutMs,
      };
