import { newId } from '@parley/runtime';
import { appendAudit } from '../db/audit';
import { insertKey } from '../db/keys';
import { scopeBook } from '../domain/scope-book';
import { lastFourOf, mintToken } from '../domain/token';
import type { Dependencies } from './dependencies';

export type PlatformKind = 'operator' | 'hosted';

/** Section 5 rule 11: a hosted worker holds the job-claim and heartbeat scopes and nothing else. */
const scopesOf: Record<PlatformKind, readonly string[]> = {
  operator: ['all', ...scopeBook.operatorOnly],
  hosted: ['worker_jobs:claim', 'worker_jobs:heartbeat'],
};

/** Mints a credential that belongs to no organization. Only a command does this: no request reaches it. */
export async function mintPlatformKey(
  deps: Dependencies,
  name: string,
  kind: PlatformKind,
): Promise<{ keyId: string; token: string }> {
  const token = mintToken('tai_', deps.random);
  const keyId = newId('key');
  await deps.db.transaction(async (tx) => {
    await insertKey(tx, '', {
      keyId,
      kind,
      name,
      scopes: scopesOf[kind],
      token: deps.peppers.current(token),
      lastFour: lastFourOf(token),
      createdBy: '',
      expiresAt: '',
    });
    await appendAudit(tx, {
      auditId: newId('aud'),
      organizationId: '',
      actorKeyId: '',
      action: 'platform_key.minted',
      subject: keyId,
      detail: { name, kind },
    });
  });
  return { keyId, token };
}
