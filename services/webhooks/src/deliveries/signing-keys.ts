import type { KeyObject } from 'node:crypto';
import type { Vault } from '@parley/vault';
import { signingKeyOf } from '@parley/service';
import { signingPurpose } from '../endpoints';

/** An endpoint with its active secrets. */
export interface SecretOwner {
  readonly organization_id: string;
  readonly endpoint_id: string;
  /** Encrypted; hex, separated by spaces. */
  readonly secrets: string;
}

export type SigningKeys = (owner: SecretOwner) => readonly KeyObject[];

/**
 * Returns the signing keys of an endpoint. Decrypted keys are cached, because decrypting a secret and creating a key from it costs more than the signature.
 * After a rotation the encrypted secrets differ from the cached ones and are decrypted again. If the cache is full, the endpoint that was unused for longest is
 * removed.
 */
export function createSigningKeys(vault: Vault, most = 20_000): SigningKeys {
  const kept = new Map<string, { readonly secrets: string; readonly keys: readonly KeyObject[] }>();
  return ({ organization_id: organizationId, endpoint_id: recordId, secrets }) => {
    let entry = kept.get(recordId);
    if (entry?.secrets !== secrets) {
      const context = { organizationId, purpose: signingPurpose, recordId };
      const open = (sealed: string) => signingKeyOf(vault.open(Buffer.from(sealed, 'hex'), context).toString('utf8'));
      entry = { secrets, keys: secrets.split(' ').filter(Boolean).map(open) };
    }
    kept.delete(recordId);
    kept.set(recordId, entry);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    return entry.keys;
  };
}
