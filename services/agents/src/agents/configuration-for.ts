import type { VoiceStackConfiguration } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { AgentDocument } from './agent-document.rules';
import { configurationOf } from './configuration.rules';
import { boundCredentials, credentialProviders, needsAccounts, standbyByKind } from './credential-bindings.rules';
import type { Dependencies } from './dependencies';

/** What voice-stack compiles of an agent. Asks auth whose the bound credentials are and which are on standby, where any could be used. */
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
