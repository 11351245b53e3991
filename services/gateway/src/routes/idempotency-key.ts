import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { Idempotency } from '@parley/proto/common';

const syntax = /^[\x21-\x7e]{1,255}$/;
const nothing = Buffer.alloc(0);
/** Body fields with secrets of a provider or carrier, and the token of a test call. */
export const secretFields: readonly string[] = ['secret', 'auth_token', 'token', 'password'];
const withoutSecrets = Object.fromEntries(secretFields.map((name) => [name, undefined]));

/**
 * The idempotency of a creating request, for the service that owns the resource (docs/reference/requests.md). Two requests are the same when their canonical JSON is,
 * and the values in their paths. Secrets are no part of that: the fingerprint is stored, and a stored digest of a body whose other
 * fields can be read would let anyone who has it try secrets. So a key that comes again with another secret answers the original.
 * @param inBody the body has a field idempotency_key, which says the same as the header: either is enough, two that differ are refused
 * @throws AppError 400 for a key that is empty, longer than 255 characters or not made of visible ASCII
 */
export function idempotencyOf(
  header: string | readonly string[] | undefined,
  routeId: string,
  params: Readonly<Record<string, string>>,
  body: JsonObject,
  inBody = false,
): Idempotency {
  const key = inBody ? keyOf(header, body.idempotency_key) : header;
  if (key === undefined) return { key: '', route: routeId, fingerprint: nothing };
  if (typeof key !== 'string' || !syntax.test(key)) {
    throw badRequest('Idempotency-Key must be 1 to 255 visible ASCII characters');
  }
  const fingerprint = createHash('sha256').update(
    canonicalJson({ ...body, ...withoutSecrets, ...(inBody && { idempotency_key: undefined }) }),
  );
  for (const value of Object.values(params)) fingerprint.update(`\n${value}`);
  return { key, route: routeId, fingerprint: fingerprint.digest() };
}

function keyOf(header: string | readonly string[] | undefined, field: unknown): string | readonly string[] | undefined {
  // A non-string is refused by the owner, as any field.
  if (typeof field !== 'string') return header;
  if (header !== undefined && header !== field) throw badRequest('idempotency_key is not the Idempotency-Key');
  return field;
}
