import type { VoiceStackConfiguration } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import type { AgentDocument } from './agent-document.rules';
import { configurationOf } from './configuration.rules';
import { boundCredentials, credentialProviders } from './credential-bindings.rules';
import type { Dependencies } from './dependencies';

/** What voice-stack compiles of an agent. Asks auth whose the bound credentials are, and no one where none is bound. */
export async function configurationFor(
  { credentials }: Pick<Dependencies, 'credentials'>,
  organizationId: string,
  document: AgentDocument,
  context: OutgoingContext,
): Promise<VoiceStackConfiguration> {
  const bound = boundCredentials(document);
  const known = bound.length === 0 ? [] : await credentials.find(organizationId, bound, context);
  return configurationOf(organizationId, document, credentialProviders(document, known));
}
