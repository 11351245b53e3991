import type { VoiceStackConfiguration } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { AgentDocument } from './agent-document.rules';
import { configurationOf } from './configuration.rules';
import { boundCredentials, credentialProviders, needsAccounts, standbyByKind } from './credential-bindings.rules';
import type { Dependencies } from './dependencies';

/** The input of voice-stack's compilation. Requests the owners of the bound credentials and the standby ones from auth, if any could be used. */
export async function configurationFor(
  { credentials }: Pick<Dependencies, 'credentials'>,
  organizationId: string,
  document: AgentDocument,
  context: OutgoingContext,
): Promise<VoiceStackConfiguration> {
  const bound = boundCredentials(document);
  if (bound.length === 0 && !needsAccounts(document)) return configurationOf(organizationId, document, {}, {});
  const { known, standby } = await credentials.forCalls(organizationId, bound, context);
  return configurationOf(organizationId, document, credentialProviders(document, known), standbyByKind(standby));
}
