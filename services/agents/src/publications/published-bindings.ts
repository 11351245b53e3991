import type { ComponentCredentialBindings } from '@parley/contract';
import type { Queryable } from '@parley/runtime';
import { findPublishedConfiguration } from './publications.sql';

/** What a published version binds; undefined where its configuration was not kept. */
export async function publishedBindings(
  db: Queryable,
  organizationId: string,
  agentId: string,
  version: number,
): Promise<ComponentCredentialBindings | undefined> {
  const configuration = (await findPublishedConfiguration(db, organizationId, agentId, version)) ?? '';
  if (configuration === '') return undefined;
  const { component_credential_bindings: bindings } = JSON.parse(configuration) as {
    component_credential_bindings?: ComponentCredentialBindings;
  };
  return bindings ?? { stt: null, llm: null, tts: null };
}
