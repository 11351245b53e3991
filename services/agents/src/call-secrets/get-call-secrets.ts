import type { ComponentCredentialBindings, LeasedConnection } from '@parley/contract';
import { boundBy, findToolSecrets, type Dependencies } from '../agents';
import { openConnections } from '../connections';
import { publishedBindings } from '../publications';

export interface CallSecretsQuestion {
  readonly organizationId: string;
  readonly agentId: string;
  /** 0: the agent never published, and what it binds now counts. */
  readonly publicationVersion: number;
  /** Of the tools that the call pinned. */
  readonly connectionIds: readonly string[];
}

export interface CallSecrets {
  /** Ids of component credentials by kind. */
  readonly bindings: Readonly<Partial<Record<keyof ComponentCredentialBindings, string>>>;
  readonly tools: readonly { readonly name: string; readonly signingSecrets: string[] }[];
  readonly connections: readonly LeasedConnection[];
}

/**
 * Bindings are those of the publication that the call pinned; secrets and connections are read as they are now, so that a rotation is picked up by the next
 * call. @throws AppError NotFoundError without the agent
 */
export async function getCallSecrets(dependencies: Dependencies, question: CallSecretsQuestion): Promise<CallSecrets> {
  const { organizationId, agentId, publicationVersion, connectionIds } = question;
  const agent = await findToolSecrets(dependencies, organizationId, agentId);
  const published =
    publicationVersion === 0
      ? undefined
      : await publishedBindings(dependencies.db, organizationId, agentId, publicationVersion);
  return {
    bindings: boundBy(published ?? agent.bindings),
    tools: agent.tools,
    connections: await openConnections(dependencies, { organizationId, projectId: agent.projectId }, connectionIds),
  };
}
