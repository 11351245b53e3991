import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { Idempotency } from '@parley/proto/common';

const syntax = /^[\x21-\x7e]{1,255}$/;
const nothing = Buffer.alloc(0);
/** Body fields that contain secrets of a provider or carrier, or the token of a test call. */
export const secretFields: readonly string[] = ['secret', 'auth_token', 'token', 'password'];
const withoutSecrets = Object.fromEntries(secretFields.map((name) => [name, undefined]));

/**
 * The idempotency data of a create request, for the service that owns the resource (docs/reference/requests.md). Two requests are the same if their canonical
 * JSON and the values in their paths are the same. Secrets are excluded: the fingerprint is stored, and anyone who has it and knows the other fields could use
 * it to guess a secret. As a result, repeating a key with another secret returns the original response.
 * @param inBody the body has a field idempotency_key, which means the same as the header; one of the two is enough, and different values are refused
 * @throws AppError 400 for a key that is empty, longer than 255 characters or not visible ASCII
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
  // A value that is no string is refused by the owning service, like any invalid field.
  if (typeof field !== 'string') return header;
  if (header !== undefined && header !== field) throw badRequest('idempotency_key is not the Idempotency-Key');
  return field;
}
