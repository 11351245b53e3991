import type { AgentVoiceStackUpdate } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { checkCredentials, neededCredentials } from './credential-bindings.rules';
import type { StoredAgent } from './stored-agent.rules';
import type { Dependencies } from './dependencies';

/** Checks newly bound credentials by a request to auth; sends none if no credential is newly bound (docs/reference/voice-stack.md). */
export async function checkCredentialBindings(
  { voiceStack, credentials }: Dependencies,
  { organizationId, document }: StoredAgent,
  sent: Pick<AgentVoiceStackUpdate, 'transcriber' | 'model' | 'voice' | 'component_credential_bindings'>,
  context: OutgoingContext,
): Promise<void> {
  const needed = neededCredentials(document, sent, await voiceStack.defaultProviders(context));
  if (needed.length === 0) return;
  const ids = needed.map(({ credentialId }) => credentialId);
  checkCredentials(needed, await credentials.find(organizationId, ids, context));
}
