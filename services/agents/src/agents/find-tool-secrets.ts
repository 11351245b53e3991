import { isWebhookTool, type ComponentCredentialBindings } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId } from '@parley/runtime';
import type { Vault } from '@parley/vault';
import type { Dependencies } from './dependencies';
import { findForChange } from './read-agent.sql';
import { toolSigningPurpose } from './seal-tool-secrets';
import type { StoredAgent } from './stored-agent.rules';
import { liveSecrets, ownSecretName } from './tool-secrets.rules';

export interface AgentSecrets {
  readonly projectId: string;
  readonly bindings: ComponentCredentialBindings;
  readonly mode: string;
  readonly addresses: { readonly text: string; readonly audio: string };
  /** The secrets of the agent itself. */
  readonly ownSecrets: string[];
  /** The secrets of the webhook tools that the agent currently has. */
  readonly tools: readonly { readonly name: string; readonly signingSecrets: string[] }[];
}

/**
 * Returns the decrypted signing secrets of an agent and its webhook tools. Used only for a call whose worker has a valid lease. @throws AppError NotFoundError
 */
export async function findToolSecrets(
  { db, vault }: Pick<Dependencies, 'db' | 'vault'>,
  organizationId: string,
  agentId: string,
): Promise<AgentSecrets> {
  const found = isId('agt', agentId) ? await findForChange(db, organizationId, agentId) : undefined;
  if (found === undefined) throw notFound('agent');
  const { agent, now } = found;
  const { document, projectId } = agent;
  const tools = document.tools
    .filter(isWebhookTool)
    .map(({ name }) => ({ name, signingSecrets: openSecrets(vault, agent, name, now) }));
  return {
    projectId,
    bindings: document.component_credential_bindings,
    mode: document.mode,
    addresses: { text: document.webhook_url ?? '', audio: document.audio_stream_url ?? '' },
    ownSecrets: openSecrets(vault, agent, ownSecretName, now),
    tools,
  };
}

function openSecrets(vault: Vault, { organizationId, agentId, toolSecrets }: StoredAgent, name: string, now: string) {
  const context = { organizationId, purpose: toolSigningPurpose, recordId: `${agentId}/${name}` };
  return liveSecrets(toolSecrets[name], now).map((sealed) =>
    vault.open(Buffer.from(sealed, 'base64'), context).toString('utf8'),
  );
}
