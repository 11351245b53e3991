import type { VoiceStackConfiguration } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { AgentDocument } from './agent-document.rules';
import { configurationOf } from './configuration.rules';
import { boundCredentials, credentialProviders, needsAccounts, standbyByKind } from './credential-bindings.rules';
import type { Dependencies } from './dependencies';

/** The input of voice-stack's compilation. If the agent could use credentials, requests from auth the bound ones and the organization's standby ones. */
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
