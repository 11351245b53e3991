import { AppError } from '@parley/errors';

/**
 * Why a sealed value could not be opened: `malformed` (not the vault's format), `unknown_key` (sealed under a key
 * that this process was not given), `not_authentic` (altered, or opened for another organization or purpose).
 */
export type VaultErrorReason = 'malformed' | 'unknown_key' | 'not_authentic';

/** A stored secret that cannot be decrypted is the platform's own error: `internal_error`, with the reason only in the log. */
export class VaultError extends AppError {
  readonly reason: VaultErrorReason;

  constructor(reason: VaultErrorReason, detail: string) {
    super('internal_error', 'the request could not be completed', { cause: new Error(`vault: ${reason}: ${detail}`) });
    this.name = 'VaultError';
    this.reason = reason;
  }
}
