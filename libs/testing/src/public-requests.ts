import { createHash } from 'node:crypto';
import { canonicalJson, type AnyRoute, type JsonObject, type PathParams } from '@parley/contract';
import type { Caller, PublicClient } from '@parley/runtime';

/** What a test sends to a public route of a service, as the gateway would. */
export interface PublicTestRequest<R extends AnyRoute> {
  readonly caller?: Caller;
  /** Default: the caller's. */
  readonly organizationId?: string;
  readonly params?: Readonly<Record<PathParams<R['path']>, string>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  /** The Idempotency-Key. */
  readonly key?: string;
  readonly ifMatch?: string;
  readonly signal?: AbortSignal;
}

export interface PublicTestAnswer<R extends AnyRoute> {
  readonly body: InstanceType<R['answer']['class']>;
  /** The body as it was sent. */
  readonly text: string;
  readonly etag: string;
  readonly replayed: boolean;
  readonly ignoredFields: readonly string[];
}

/** Sends a request to a public route of a service. Rejects with the AppError that the client of the platform would see. */
export async function requestPublic<R extends AnyRoute>(
  client: PublicClient,
  route: R,
  request: PublicTestRequest<R>,
): Promise<PublicTestAnswer<R>> {
  const { caller, query = {}, body, key = '', ifMatch = '', signal } = request;
  const names = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as PathParams<R['path']>);
  const json = body === undefined ? '' : JSON.stringify(body);
  const fingerprint = createHash('sha256').update(canonicalJson((body ?? {}) as JsonObject));
  const answer = await client.call(
    {
      route: route.id,
      organizationId: request.organizationId ?? caller?.organizationId ?? '',
      path: names.map((name) => request.params?.[name] ?? ''),
      query: Object.entries(query).map(([name, value]) => ({ name, value: String(value) })),
      body: Buffer.from(json),
      idempotency: key === '' ? undefined : { key, route: route.id, fingerprint: fingerprint.digest() },
      ifMatch,
    },
    { caller, requestId: 'test', signal },
    { alone: route.waits, deadlineMs: 30_000 },
  );
  const text = answer.body.toString();
  const isJson = route.answer.media === 'application/json';
  return { ...answer, text, body: (isJson ? JSON.parse(text) : answer.body) as InstanceType<R['answer']['class']> };
}
