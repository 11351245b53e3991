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
