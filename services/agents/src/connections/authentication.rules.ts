import { hiddenHeader, type ConnectionAuthentication, type ConnectionRecord } from '@parley/contract';
import { invalidField } from '@parley/errors';

/** An authentication, split because its secret is encrypted separately. */
export interface SplitAuthentication {
  /** As reads return it, with the secret masked. */
  readonly shown: ConnectionAuthentication;
  /** The secret to encrypt; undefined: unchanged; null: none. */
  readonly secret: string | null | undefined;
}

const fieldOf = { bearer: 'token', header: 'value' } as const;

/**
 * The authentication of a write. `***` keeps the stored secret if type and header are the same and the connection keeps its server: a secret must not be sent
 * to another server than the one for which it was entered.
 * @param stored the connection before the write; undefined if it is new
 * @throws AppError BadRequestError naming the field
 */
export function splitAuthentication(
  sent: ConnectionAuthentication | undefined,
  baseUrl: string,
  stored: ConnectionRecord | undefined,
): SplitAuthentication {
  const before = stored?.authentication;
  const wanted = sent ?? before;
  if (wanted === undefined) throw invalidField('authentication', 'required', 'is required');
  if (wanted.type === 'none') return { shown: { type: 'none' }, secret: null };
  const field = fieldOf[wanted.type];
  const value = wanted[field];
  const shown = { ...wanted, [field]: hiddenHeader };
  if (value !== hiddenHeader) return { shown, secret: value };
  const path = `authentication.${field}`;
  if (before?.type !== wanted.type || before.name?.toLowerCase() !== wanted.name?.toLowerCase()) {
    throw invalidField(path, 'not_allowed', `is "${hiddenHeader}", which keeps a stored value, but no value is stored`);
  }
  if (stored !== undefined && new URL(stored.base_url).origin !== new URL(baseUrl).origin) {
    throw invalidField(path, 'required', 'is required, because base_url changes to another server');
  }
  return { shown, secret: undefined };
}

/** The authentication including its secret. */
export function openedAuthentication(shown: ConnectionAuthentication, secret: string): ConnectionAuthentication {
  return shown.type === 'none' ? shown : { ...shown, [fieldOf[shown.type]]: secret };
}
