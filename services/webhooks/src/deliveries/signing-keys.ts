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
 * Opens the sealed signing secrets of an endpoint and keeps the keys: opening one and making a key of it costs more than the
 * signature. After a rotation the secrets read differently and are opened again; endpoints unused for longest go first.
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
