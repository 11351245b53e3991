import type { ComponentCredentialTest } from '@parley/contract';
import { badRequest, conflict } from '@parley/errors';
import { appendAudit } from '../audit';
import { findSealedCredentials, recordTestResult } from './component-credentials.sql';
import { ownedBy, type ChangeComponentCredential } from './change-component-credential';
import { openedCredential } from './lease-component-credentials';
import { providerTestOf, testResultOf } from './provider-test.rules';
import type { Dependencies } from '../keys';

/** Shorter than the timeout of the gateway. */
const timeoutMs = 10_000;
const mostBytes = 64 * 1024;

/**
 * POST /v1/component-credentials/{component_credential_id}/test: sends the provider a read request that is free of charge, and records whether it accepted the
 * credential. If the provider cannot be reached, the test has failed.
 * @throws AppError NotFoundError if the credential does not exist or belongs to another organization; BadRequestError if its provider has no such read request;
 * ConflictError if the secret was replaced meanwhile
 */
export async function testComponentCredential(
  { db, vault, outbound }: Pick<Dependencies, 'db' | 'vault' | 'outbound'>,
  command: ChangeComponentCredential,
): Promise<ComponentCredentialTest> {
  const organizationId = await ownedBy(db, command);
  const [stored] = await findSealedCredentials(db, organizationId, [command.credentialId]);
  if (stored === undefined) throw conflict('the credential was deleted during the test');
  const { provider, secret, baseUrl } = openedCredential(vault, organizationId, stored);
  const test = providerTestOf(provider, { secret, baseUrl: baseUrl === '' ? undefined : baseUrl });
  if (test === undefined) throw badRequest(`credentials of ${provider} cannot be tested`);
  const answer = await outbound.send({ method: 'GET', ...test, timeoutMs, mostBytes });
  const result = testResultOf(answer);
  await db.transaction(async (tx) => {
    const recorded = await recordTestResult(tx, organizationId, command.credentialId, {
      replacedAt: stored.replacedAt,
      ...result,
    });
    if (!recorded) throw conflict('the credential was changed during the test: test it again');
    const act = {
      organizationId,
      action: 'component_credential.tested',
      subject: command.credentialId,
      detail: { provider, ok: result.ok },
    };
    await appendAudit(tx, act, command);
  });
  return result;
}
