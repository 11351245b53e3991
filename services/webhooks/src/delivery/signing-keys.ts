import type { KeyObject } from 'node:crypto';
import type { Vault } from '@parley/vault';
import { signingKeyOf, signingPurpose } from '../domain/signature';

/** Whose secret it is. */
export interface SecretOwner {
  readonly organization_id: string;
  readonly endpoint_id: string;
}

export type SigningKeys = (sealed: Buffer, owner: SecretOwner) => KeyObject;

/**
 * Opens sealed signing secrets and keeps the keys: opening one and making a key of it costs more than the signature.
 * A rotated secret is another sealed value and so another entry; those unused for longest go first.
 */
export function createSigningKeys(vault: Vault, most = 20_000): SigningKeys {
  const keys = new Map<string, KeyObject>();
  return (sealed, { organization_id, endpoint_id }) => {
    const name = `${endpoint_id} ${sealed.toString('latin1')}`;
    let key = keys.get(name);
    if (key === undefined) {
      const context = { organizationId: organization_id, purpose: signingPurpose, recordId: endpoint_id };
      key = signingKeyOf(vault.open(sealed, context).toString('utf8'));
    }
    keys.delete(name);
    keys.set(name, key);
    const [oldest] = keys.keys();
    if (keys.size > most && oldest !== undefined) keys.delete(oldest);
    return key;
  };
}
