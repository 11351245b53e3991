/** A small client for the platform's REST API. */

export class RestError extends Error {
  readonly status: number;

  constructor(method: string, path: string, status: number, body: string) {
    super(`${method} ${path} answered ${status}: ${body.slice(0, 500)}`);
    this.status = status;
  }
}

export type Json = Record<string, unknown>;

export class Rest {
  private readonly baseUrl: string;
  private readonly key: string;

  constructor(baseUrl: string, key: string) {
    this.baseUrl = baseUrl;
    this.key = key;
  }

  get(path: string): Promise<Json> {
    return this.send('GET', path);
  }

  post(path: string, body: Json, headers: Record<string, string> = {}): Promise<Json> {
    return this.send('POST', path, body, headers);
  }

  put(path: string, body: Json): Promise<Json> {
    return this.send('PUT', path, body);
  }

  patch(path: string, body: Json): Promise<Json> {
    return this.send('PATCH', path, body);
  }

  private async send(method: string, path: string, body?: Json, headers: Record<string, string> = {}): Promise<Json> {
    const answer = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json', ...headers },
      body: body && JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
    });
    const text = await answer.text();
    if (!answer.ok) throw new RestError(method, path, answer.status, text);
    return JSON.parse(text) as Json;
  }
}

/** Returns a field of a response that must exist, for example the id as `agent_id` or otherwise `id`. */
export function text(answer: Json, ...names: string[]): string {
  for (const name of names) {
    const value = answer[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  throw new Error(`the answer carries no ${names.join(' or ')}: ${JSON.stringify(answer).slice(0, 300)}`);
}
