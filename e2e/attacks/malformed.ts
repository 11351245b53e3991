import { randomBytes } from 'node:crypto';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { Agent, request } from 'undici';
import { operations, webhooks } from '../fuzz/openapi';
import type { World } from './world';

type Text = string | Buffer;

interface Form {
  readonly body: (secret: string) => Text;
  readonly headers?: (secret: string) => Readonly<Record<string, string>>;
  /** The statuses with which it may be refused, besides 403 and 404, which are checked first. */
  readonly statuses: readonly number[];
}

const json = (type = 'application/json') => ({ 'content-type': type });
const object = (secret: string): string => JSON.stringify({ name: secret });

/** Bodies that no route accepts, each with a secret in it. */
const forms: Readonly<Record<string, Form>> = {
  'cut JSON': { body: (secret) => `{"key":"${secret}`, statuses: [400] },
  'JSON with more behind it': { body: (secret) => `${object(secret)} ${secret}`, statuses: [400] },
  'a word': { body: (secret) => secret, statuses: [400] },
  'a JSON string': { body: (secret) => JSON.stringify(secret), statuses: [400] },
  'an array': { body: (secret) => JSON.stringify([secret]), statuses: [400] },
  NUL: { body: (secret) => `{"name":"${secret}\\u0000"}`, statuses: [400] },
  'half of a surrogate pair': { body: (secret) => `{"name":"${secret}\\ud800"}`, statuses: [400] },
  'a name twice': { body: (secret) => `{"name":"${secret}","name":"${secret}"}`, statuses: [400] },
  'bytes that are no UTF-8': { body: (secret) => Buffer.from(`{"name":"${secret}\xff"}`, 'latin1'), statuses: [400] },
  'another charset': { body: object, headers: () => json('application/json; charset=utf-16'), statuses: [400, 415] },
  'a form': {
    body: (secret) => `name=${secret}`,
    headers: () => json('application/x-www-form-urlencoded'),
    statuses: [400, 415],
  },
  gzip: {
    body: (secret) => gzipSync(object(secret)),
    headers: () => ({ 'content-encoding': 'gzip' }),
    statuses: [415],
  },
  br: {
    body: (secret) => brotliCompressSync(object(secret)),
    headers: () => ({ 'content-encoding': 'br' }),
    statuses: [415],
  },
  'a secret as its encoding': { body: object, headers: (secret) => ({ 'content-encoding': secret }), statuses: [415] },
};

/** A secret where a path has an id. */
const filled = (path: string, secret: string): string => path.replace(/\{\w+\}/g, secret);

/** V4: refused requests whose secrets are in a log. What these requests plant is searched for by `secrets.ts`. */
export function malformedAttacks(world: () => World): void {
  const agent = new Agent({ connections: 8 });
  afterAll(() => agent.close());

  const stems = new Map<string, string>();
  let sent = 0;
  /** A secret of its own for each request. They are searched for by what those of one form have in common, because there are thousands. */
  const planted = (form: string): string => {
    const stem = stems.get(form) ?? `canary-${randomBytes(12).toString('hex')}`;
    stems.set(form, stem);
    world().canaries.set(form, stem);
    return `${stem}-${(sent += 1)}`;
  };

  async function send(method: string, url: string, headers: object, body?: Text) {
    const {
      statusCode,
      headers: answered,
      body: stream,
    } = await request(url, {
      ...{ method: method as 'GET', dispatcher: agent, body: body ?? null },
      headers: { ...json(), ...headers },
    });
    return { status: statusCode, type: String(answered['content-type']), text: await stream.text() };
  }

  /** Whether a refusal is JSON of the contract's form. */
  const isError = ({ type, text }: Awaited<ReturnType<typeof send>>): boolean => {
    if (!type.startsWith('application/json')) return false;
    const { error, message } = JSON.parse(text) as { error?: unknown; message?: unknown };
    return typeof error === 'string' && typeof message === 'string';
  };

  /** Sends all requests, eight at a time. @returns those that were not refused as they have to be */
  async function wrong(requests: readonly (() => Promise<string | undefined>)[]): Promise<string[]> {
    const found: string[] = [];
    const waiting = requests.values();
    const worker = async (): Promise<void> => {
      for (const one of waiting) {
        const said = await one();
        if (said !== undefined) found.push(said);
      }
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return found;
  }

  const base = () => world().platform.baseUrls[0] ?? '';
  const bearer = (token = world().customer.key) => ({ authorization: `Bearer ${token}` });

  it('bodies that no route accepts are 400, 413 or 415, and repeat nothing', async () => {
    const writes = operations.filter(({ method }) => method !== 'GET');
    expect(writes.length).toBeGreaterThan(100);
    const requests = writes.flatMap(({ method, path, body: declared }) =>
      Object.entries(forms).map(([name, { body, headers, statuses }]) => async () => {
        const secret = planted(name);
        const url = base() + filled(path, 'none');
        const refusal = await send(method, url, { ...bearer(), ...headers?.(secret) }, body(secret));
        world().refusals.push(refusal.text);
        // Uploads take other types than JSON, and some routes have no body and ignore one.
        if (declared === undefined && refusal.status < 300) return undefined;
        const allowed = declared === undefined ? [400, 403, 404, 409, 415] : [...statuses, 403, 404];
        return allowed.includes(refusal.status) && isError(refusal)
          ? undefined
          : `${name}: ${method} ${path}: ${refusal.status} ${refusal.text}`;
      }),
    );
    expect(await wrong(requests)).toEqual([]);
  });

  it('bodies that are announced as too large are refused, whatever they begin with', async () => {
    const writes = operations.filter(({ method, body }) => method !== 'GET' && body !== undefined);
    const requests = writes.map(({ method, path }) => async () => {
      const secret = planted('too large');
      const head = [`${method} ${filled(path, 'none')} HTTP/1.1`, 'Host: a', 'Connection: close'];
      const fields = [`Authorization: Bearer ${world().customer.key}`, 'Content-Type: application/json'];
      const text = [...head, ...fields, 'Content-Length: 9999999', '', `{"key":"${secret}`].join('\r\n');
      const [status] = await world().rawOutcome(text);
      return [403, 404, 413].includes(status) ? undefined : `${method} ${path}: ${status}`;
    });
    expect(await wrong(requests)).toEqual([]);
  });

  it('secrets in paths, queries, headers and names of fields are in no 5xx', async () => {
    const requests = operations.flatMap(({ method, path, body }) =>
      [undefined, bearer()].map((authorized) => async () => {
        const value = planted(authorized === undefined ? 'a key' : 'outside the body');
        const headers = {
          ...(authorized ?? bearer(value)),
          ...{ cookie: `a=${value}`, referer: `http://a/${value}`, 'x-api-key': value, 'x-request-id': value },
          ...{ 'if-match': `"${value}"`, 'last-event-id': value, traceparent: value, 'accept-language': value },
        };
        const url = `${base() + filled(path, value)}?${value}=1&key=${value}&after=${value}&limit=${value}`;
        const sent = method === 'GET' ? undefined : JSON.stringify(body === undefined ? {} : { [value]: value });
        const { status, text } = await send(method, url, headers, sent);
        return status < 500 ? undefined : `${method} ${path}: ${status} ${text}`;
      }),
    );
    expect(await wrong(requests)).toEqual([]);
  });

  it('webhooks of carriers, pages of demos, MCP and unknown paths get no other treatment', async () => {
    const places = [
      ...webhooks.flatMap(({ paths }) => paths.map((path) => ['POST', path] as const)),
      ...([
        ['POST', '/mcp'],
        ['POST', '/nothing'],
        ['GET', '/guide/none'],
      ] as const),
      ...([
        ['POST', '/demo/none/calls'],
        ['POST', '/chat/none/sessions'],
        ['GET', '/test/none'],
      ] as const),
    ];
    const requests = places.flatMap(([method, path]) =>
      Object.entries(forms).map(([name, { body, headers }]) => async () => {
        const secret = planted(`${name}, other places`);
        const all = { ...bearer(), 'x-twilio-signature': secret, ...headers?.(secret) };
        const url = `${base() + path.replace('none', secret)}?key=${secret}`;
        const { status, text } = await send(method, url, all, method === 'GET' ? undefined : body(secret));
        return status < 500 || status === 503 ? undefined : `${name}: ${path}: ${status} ${text}`;
      }),
    );
    expect(await wrong(requests)).toEqual([]);
  });

  it("bodies that the console's sign-in does not accept are 400, 413 or 415, also through its session", async () => {
    const own = { 'sec-fetch-site': 'same-origin', 'x-parley-console': '1' };
    const session = await world().consoleSession();
    const requests = Object.entries(forms).flatMap(([name, { body, headers }]) =>
      ['/session', '/v1/agents'].map((path) => async () => {
        const secret = planted(`${name}, console`);
        const all = { ...own, cookie: session, 'x-other': secret, ...headers?.(secret) };
        const url = `${world().consoleUrl}/console/api${path}?key=${secret}`;
        const refusal = await send('POST', url, all, body(`tai_${secret}`));
        world().refusals.push(refusal.text);
        const allowed = [400, 413, 415].includes(refusal.status) || (name === 'a name twice' && refusal.status === 401);
        return allowed && isError(refusal) ? undefined : `${name}: ${path}: ${refusal.status} ${refusal.text}`;
      }),
    );
    expect(await wrong(requests)).toEqual([]);
  });
}
