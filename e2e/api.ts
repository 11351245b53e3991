import { Agent, request as send } from 'undici';
import { checkAnswer } from './contract-check';
import { recordExchange } from './documented/exchanges';

export interface Answer<B = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: B;
}

export interface RequestOptions {
  readonly body?: unknown;
  /** The raw bytes of the body; replaces `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A REST client that uses the platform's gateways in turn, like a load balancer. Every response is validated against docs/openapi.json: undocumented content
 * fails the test.
 */
export class Api {
  private readonly dispatcher = new Agent({ connections: 50, keepAliveTimeout: 1_000 });
  private turn = 0;

  constructor(
    private readonly baseUrls: () => readonly string[],
    private readonly key: string | undefined,
  ) {}

  /** The same client with another key; undefined sends no key. */
  as(key: string | undefined): Api {
    return new Api(this.baseUrls, key);
  }

  async get<B = Record<string, unknown>>(path: string, options?: RequestOptions): Promise<Answer<B>> {
    return this.request('GET', path, options);
  }

  async post<B = Record<string, unknown>>(
    path: string,
    body: unknown = {},
    headers?: Record<string, string>,
  ): Promise<Answer<B>> {
    return this.request('POST', path, { body, headers });
  }

  async patch<B = Record<string, unknown>>(
    path: string,
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<B>> {
    return this.request('PATCH', path, { body, headers });
  }

  async put<B = Record<string, unknown>>(path: string, body: unknown): Promise<Answer<B>> {
    return this.request('PUT', path, { body });
  }

  async delete<B = Record<string, unknown>>(path: string): Promise<Answer<B>> {
    return this.request('DELETE', path);
  }

  async request<B = Record<string, unknown>>(
    method: string,
    path: string,
    options: RequestOptions = {},
  ): Promise<Answer<B>> {
    const urls = this.baseUrls();
    const url = urls[this.turn++ % urls.length];
    if (url === undefined) throw new Error('the platform has no gateway');
    const answer = await send(url + path, {
      method: method as 'GET',
      dispatcher: this.dispatcher,
      headers: {
        ...(this.key === undefined ? {} : { authorization: `Bearer ${this.key}` }),
        ...((options.raw ?? options.body) === undefined ? {} : { 'content-type': 'application/json' }),
        ...options.headers,
      },
      body: options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
    });
    const text = await answer.body.text();
    const headers = Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
    // The body of an audio response is not parsed.
    const isJson = text !== '' && headers['content-type']?.startsWith('application/json') === true;
    const result = { status: answer.statusCode, headers, body: (isJson ? JSON.parse(text) : undefined) as B };
    checkAnswer(method, path, result);
    recordExchange({
      method,
      path,
      sent: options.raw === undefined ? options.body : fieldsOf(options.raw, options.headers),
      status: result.status,
      contentType: headers['content-type'],
      received: isJson ? result.body : text,
    });
    return result;
  }

  /**
   * Repeats a request whose connection broke or whose response was a 5xx, as docs/reference/requests.md#retrying requires of clients. For tests that cause
   * failures.
   */
  async persist<B>(attempt: (api: Api) => Promise<Answer<B>>): Promise<Answer<B>> {
    // Only limits how long a failing test waits, like the timeout of `until`; a passing test does not depend on it.
    const deadline = performance.now() + 120_000;
    for (;;) {
      try {
        const answer = await attempt(this);
        if (answer.status < 500 || performance.now() > deadline) return answer;
      } catch (error) {
        if (performance.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The fields of a form; other raw bodies have none. */
function fieldsOf(raw: string | Buffer, headers: Readonly<Record<string, string>> = {}): unknown {
  const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
  return isForm ? Object.fromEntries(new URLSearchParams(raw.toString())) : undefined;
}
