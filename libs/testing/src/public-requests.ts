import { createHash } from 'node:crypto';
import type { AnswerOf, AnyRoute, PathParams } from '@parley/contract';
import type { Caller, ClientOrigin, PublicClient } from '@parley/runtime';

type QueryValue = string | number | boolean;

/** A request that a test sends to a public route of a service, in place of the gateway. */
export interface PublicTestRequest<R extends AnyRoute = AnyRoute> {
  /** Default: none, which all routes refuse. */
  readonly caller?: Caller | null;
  /** Default: the caller's organization. */
  readonly organizationId?: string;
  readonly params?: Readonly<Record<PathParams<R['path']>, string>>;
  /** An undefined value is omitted; a list is sent as a repeated name. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  /** A string is sent unchanged. Default: no body. */
  readonly body?: object | string;
  /** The Idempotency-Key header. */
  readonly key?: string;
  readonly ifMatch?: string;
  readonly requestId?: string;
  /** Default: unknown. */
  readonly client?: ClientOrigin;
  readonly signal?: AbortSignal;
}

export interface PublicTestAnswer<R extends AnyRoute = AnyRoute> {
  readonly body: AnswerOf<R>;
  /** The body as it was received. */
  readonly text: string;
  /** Including quotes; '' if absent. */
  readonly etag: string;
  readonly replayed: boolean;
}

/** Sends a request to a public route of a service. Rejects with the AppError that a client of the platform would get. */
export async function requestPublic<R extends AnyRoute>(
  client: PublicClient,
  route: R,
  request: PublicTestRequest<R> = {},
): Promise<PublicTestAnswer<R>> {
  const { caller, params, query = {}, body = '', key = '', ifMatch = '', requestId = 'test', signal } = request;
  const path = route.parameters.map((name) => params?.[name as PathParams<R['path']>] ?? '');
  const sent = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const answer = await client.call(
    {
      route: route.id,
      organizationId: request.organizationId ?? caller?.organizationId ?? '',
      path,
      query: [...parametersOf(query)],
      body: sent,
      idempotency: key === '' ? undefined : { key, route: route.id, fingerprint: fingerprintOf(path, sent) },
      ifMatch,
    },
    { caller: caller ?? undefined, client: request.client, requestId, signal },
    { alone: route.waits, deadlineMs: 30_000 },
  );
  const { etag, replayed } = answer;
  const text = answer.body.toString();
  const isJson = route.answer.media === 'application/json';
  const read = (isJson ? JSON.parse(text) : answer.body) as AnswerOf<R>;
  return { body: read, text, etag, replayed };
}

function* parametersOf(query: NonNullable<PublicTestRequest['query']>): Generator<{ name: string; value: string }> {
  for (const [name, values] of Object.entries(query)) {
    for (const value of [values ?? []].flat()) yield { name, value: String(value) };
  }
}

/** A fingerprint that differs whenever the gateway's would: it depends on the body and the path. */
function fingerprintOf(path: readonly string[], body: Buffer): Buffer {
  const hash = createHash('sha256').update(body);
  for (const value of path) hash.update(`\n${value}`);
  return hash.digest();
}
