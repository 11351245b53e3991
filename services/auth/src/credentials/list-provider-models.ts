import type { ProviderModels } from '@parley/contract';
import { AppError, badRequest, notFound } from '@parley/errors';
import { appendAudit } from '../audit';
import type { Dependencies } from '../keys';
import { ownedBy, type ChangeComponentCredential } from './change-component-credential';
import { findSealedCredentials } from './component-credentials.sql';
import { openedCredential } from './lease-component-credentials';
import { modelsIn, modelsRequestOf } from './provider-test.rules';

/** Shorter than the timeout of the gateway. */
const timeoutMs = 10_000;
const mostBytes = 256 * 1024;

/**
 * POST /v1/component-credentials/{component_credential_id}/models: asks the provider which models the account may use.
 * @throws AppError NotFoundError; BadRequestError if the provider has no list of models; provider_error if it refuses, fails or answers in another form or more
 * than 256 KiB
 */
export async function listProviderModels(
  { db, vault, outbound }: Pick<Dependencies, 'db' | 'vault' | 'outbound'>,
  command: ChangeComponentCredential,
): Promise<ProviderModels> {
  const organizationId = await ownedBy(db, command);
  const [stored] = await findSealedCredentials(db, organizationId, [command.credentialId]);
  if (stored === undefined) throw notFound('component credential');
  const { provider, secret, baseUrl, kind } = openedCredential(vault, organizationId, stored);
  const request = modelsRequestOf(provider, { secret, baseUrl: baseUrl === '' ? undefined : baseUrl });
  if (request === undefined) throw badRequest(`${provider} has no list of models that can be read`);
  await db.transaction((tx) =>
    appendAudit(
      tx,
      {
        organizationId,
        action: 'component_credential.opened',
        subject: command.credentialId,
        detail: { provider, purpose: 'models' },
      },
      command,
    ),
  );
  const { status, body, truncated } = await outbound.send({ method: 'GET', ...request, timeoutMs, mostBytes });
  if (status !== 200)
    throw providerError(status ?? null, status === undefined ? 'did not answer' : `answered ${status}`);
  const models = truncated ? undefined : modelsIn(parsed(body), kind);
  if (models === undefined) throw providerError(status, 'answered with something else than a list of models');
  return { provider, models: [...models] };
}

/** It contains no text of the provider, which might repeat the secret. */
const providerError = (status: number | null, what: string): AppError =>
  new AppError('provider_error', `the provider ${what}`, { fields: { provider_status: status } });

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
