import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring';
import { AppError } from '@parley/errors';

/**
 * Why an encrypted value could not be decrypted. `malformed`: it does not have the vault's format; `unknown_key`: this process does not have the key under
 * which it is encrypted; `not_authentic`: it was altered, or decrypted for another organization or purpose.
 */
export type VaultErrorReason = 'malformed' | 'unknown_key' | 'not_authentic';

/** If a stored secret cannot be decrypted, this is an error of the platform: `internal_error`, with the reason only in the log. */
export class VaultError extends AppError {
  readonly reason: VaultErrorReason;

  constructor(reason: VaultErrorReason, detail: string) {
    super('internal_error', 'the request could not be completed', { cause: new Error(`vault: ${reason}: ${detail}`) });
    this.name = 'VaultError';
    this.reason = reason;
  }
}

declare const sealedBrand: unique symbol;

/**
 * An encrypted secret in the form in which it is stored (bytea): version, key id, wrapped data key, ciphertext. Layout: 1 | id length | id | nonce 12, wrapped
 * data key 32, tag 16 | nonce 12, ciphertext, tag 16.
 */
export type Sealed = Buffer & { readonly [sealedBrand]: true };

/** The context to which a secret is bound. It is authenticated but not stored: decrypting requires the same three values. */
export interface SealingContext {
  readonly organizationId: string;
  /** The purpose of the secret, such as `webhook-signing`. */
  readonly purpose: string;
  /** The id of the row that contains it, so that a secret cannot be moved to another row. */
  readonly recordId: string;
}

export interface Vault {
  /** Encrypts with a new data key, which is wrapped by the current key-encryption key. */
  seal(secret: string | Buffer, context: SealingContext): Sealed;
  /** Decrypts with the key under which the value was encrypted. @throws VaultError if it cannot be decrypted */
  open(sealed: Buffer, context: SealingContext): Buffer;
  /** Wraps the data key under the current key; the ciphertext does not change. @throws VaultError like `open` */
  rewrap(sealed: Buffer, context: SealingContext): Sealed;
  /** The id of the key under which a value is encrypted, used to find the values that a rotation must still process. */
  keyIdOf(sealed: Buffer): string;
  /** The id of the key under which new values are encrypted. */
  currentKeyId(): string;
  /** A secret of 32 bytes for the purpose, derived from each known key; the last one is of the newest key. Replicas with the same keys derive the same. */
  derived(purpose: string): readonly Buffer[];
}

const version = 1;
const nonceBytes = 12;
const tagBytes = 16;
const dataKeyBytes = 32;
const wrapBytes = nonceBytes + dataKeyBytes + tagBytes;

/**
 * Envelope encryption with AES-256-GCM. Each data key encrypts only one value, so a nonce is never reused with it.
 * @param keyring a function is called at each use, because keys may be added and removed while the process runs
 */
export function createVault(keyring: Keyring | (() => Keyring)): Vault {
  const keys = typeof keyring === 'function' ? keyring : () => keyring;
  const keyOf = (id: string): Buffer => {
    const key = keys().keys.get(id);
    if (key === undefined) throw new VaultError('unknown_key', `no key ${id}`);
    return key;
  };

  const wrap = (dataKey: Buffer, context: SealingContext): Buffer => {
    const { current } = keys();
    const head = headOf(current);
    return Buffer.concat([head, encrypt(keyOf(current), dataKey, Buffer.concat([head, aadOf(context)]))]);
  };

  const unwrap = (parts: Parts, context: SealingContext): Buffer =>
    decrypt(keyOf(parts.keyId), parts.wrapped, Buffer.concat([headOf(parts.keyId), aadOf(context)]));

  return {
    seal(secret, context) {
      const dataKey = randomBytes(dataKeyBytes);
      const plain = typeof secret === 'string' ? Buffer.from(secret, 'utf8') : secret;
      return sealedOf(wrap(dataKey, context), encrypt(dataKey, plain, aadOf(context)));
    },
    open(sealed, context) {
      const parts = partsOf(sealed);
      return decrypt(unwrap(parts, context), parts.body, aadOf(context));
    },
    rewrap(sealed, context) {
      const parts = partsOf(sealed);
      return sealedOf(wrap(unwrap(parts, context), context), parts.body);
    },
    keyIdOf: (sealed) => partsOf(sealed).keyId,
    currentKeyId: () => keys().current,
    derived: (purpose) =>
      [...keys().keys.values()].map((key) => Buffer.from(hkdfSync('sha256', key, '', purpose, dataKeyBytes))),
  };
}

interface Parts {
  readonly keyId: string;
  readonly wrapped: Buffer;
  readonly body: Buffer;
}

const sealedOf = (wrapped: Buffer, body: Buffer): Sealed => Buffer.concat([wrapped, body]) as Sealed;

function headOf(keyId: string): Buffer {
  const id = Buffer.from(keyId, 'ascii');
  return Buffer.concat([Buffer.from([version, id.length]), id]);
}

/** The authenticated data of a context. Each part is prefixed by its length, so that different contexts have different encodings. */
function aadOf(context: SealingContext): Buffer {
  const parts = [context.organizationId, context.purpose, context.recordId].flatMap((part) => {
    const bytes = Buffer.from(part, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return [length, bytes];
  });
  return Buffer.concat(parts);
}

function partsOf(sealed: Buffer): Parts {
  if (sealed.length < 2 || sealed[0] !== version) throw new VaultError('malformed', 'not a sealed value of version 1');
  const bodyAt = 2 + sealed.readUInt8(1) + wrapBytes;
  if (sealed.length < bodyAt + nonceBytes + tagBytes)
    throw new VaultError('malformed', 'the sealed value is truncated');
  return {
    keyId: sealed.subarray(2, bodyAt - wrapBytes).toString('latin1'),
    wrapped: sealed.subarray(bodyAt - wrapBytes, bodyAt),
    body: sealed.subarray(bodyAt),
  };
}

/** Returns nonce | ciphertext | tag. */
function encrypt(key: Buffer, plain: Buffer, aad: Buffer): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(aad);
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, sealed: Buffer, aad: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes), { authTagLength: tagBytes })
    .setAAD(aad)
    .setAuthTag(sealed.subarray(sealed.length - tagBytes));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceBytes, sealed.length - tagBytes)), decipher.final()]);
  } catch {
    throw new VaultError('not_authentic', 'the authentication tag does not match');
  }
}
