import { recordExchange } from './exchanges';

const send = globalThis.fetch;

/** The requests that tests send with `fetch`, because they need a stream, bytes or a form, are recorded like those of `Api`. */
globalThis.fetch = async (input, init = {}) => {
  const answer = await send(input, init);
  const address = typeof input === 'string' ? input : input instanceof URL ? input.href : input.url;
  if (process.env.DOCUMENTED_EXCHANGES === undefined || !answer.ok || !URL.canParse(address)) return answer;
  const contentType = answer.headers.get('content-type') ?? undefined;
  const isJson = contentType?.startsWith('application/json') === true;
  // Streams are read by their test only.
  const isText = isJson || contentType?.startsWith('text/xml') === true;
  const text = isText ? await answer.clone().text() : '';
  recordExchange({
    method: init.method ?? 'GET',
    path: new URL(address).pathname,
    sent: sentOf(init.body),
    status: answer.status,
    contentType,
    received: isJson ? (JSON.parse(text) as unknown) : text,
  });
  return answer;
};

function sentOf(body: RequestInit['body']): unknown {
  if (body instanceof URLSearchParams) return Object.fromEntries(body);
  if (typeof body !== 'string') return undefined;
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}
