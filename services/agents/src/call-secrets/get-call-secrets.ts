import type { ComponentCredentialBindings, LeasedConnection } from '@parley/contract';
import type { OutgoingContext } from '@parley/runtime';
import { boundBy, findToolSecrets, type AgentSecrets, type Dependencies } from '../agents';
import { openConnections } from '../connections';
import { publishedBindings } from '../publications';

export interface CallSecretsQuestion {
  readonly organizationId: string;
  readonly agentId: string;
  /** 0: the agent was never published, and its current bindings apply. */
  readonly publicationVersion: number;
  /** The connections of the tools that the call pinned. */
  readonly connectionIds: readonly string[];
}

export interface CallSecrets {
  /** Ids of component credentials by kind. */
  readonly bindings: Readonly<Partial<Record<keyof ComponentCredentialBindings, string>>>;
  readonly tools: readonly { readonly name: string; readonly signingSecrets: string[] }[];
  readonly connections: readonly LeasedConnection[];
  /** Undefined if the agent's mode is hosted. */
  readonly external: { readonly url: string; readonly signingSecrets: string[] } | undefined;
}

/**
 * Returns the bindings of the pinned publication. Secrets and connections are read in their current state, so that the next call uses rotated ones.
 * @throws AppError NotFoundError if there is no such agent
 */
export async function getCallSecrets(
  dependencies: Dependencies,
  question: CallSecretsQuestion,
  context: OutgoingContext,
): Promise<CallSecrets> {
  const { organizationId, agentId, publicationVersion, connectionIds } = question;
  const agent = await findToolSecrets(dependencies, organizationId, agentId);
  const published =
    publicationVersion === 0
      ? undefined
      : await publishedBindings(dependencies.db, organizationId, agentId, publicationVersion);
  const workspace = { organizationId, projectId: agent.projectId };
  return {
    external: await externalServer(dependencies, workspace, agent, context),
    bindings: boundBy(published ?? agent.bindings),
    tools: agent.tools,
    connections: await openConnections(dependencies, workspace, connectionIds),
  };
}

/** The customer's server of the call. An external_audio agent without an address of its own uses that of its project's only endpoint. */
async function externalServer(
  { endpoints }: Pick<Dependencies, 'endpoints'>,
  workspace: { readonly organizationId: string; readonly projectId: string },
  { mode, addresses, ownSecrets }: AgentSecrets,
  context: OutgoingContext,
): Promise<CallSecrets['external']> {
  if (mode === 'external_text') return { url: addresses.text, signingSecrets: ownSecrets };
  if (mode !== 'external_audio') return undefined;
  const url = addresses.audio === '' ? await endpoints.audioStreamUrl(workspace, context) : addresses.audio;
  return { url, signingSecrets: ownSecrets };
}
