import type { Database, OutgoingContext, Queryable } from '@parley/runtime';
import type { AgentTool, StoredTool } from '@parley/contract';
import type { AddressPolicy } from '@parley/service';
import type { Vault } from '@parley/vault';
import type { AgentInsertions } from './agent-insertions';
import type { AgentPages, AgentViews } from './agent-pages';
import type { Credentials } from './credentials-client';
import type { Endpoints } from './endpoints-client';
import type { LiveCalls } from './live-calls-client';
import type { VoiceStack } from './voice-stack-client';
import type { Workers } from './workers-client';

/** The functions of the connections feature that this feature uses. */
export interface KnownConnections {
  /** `code: text` for each tool whose connection or action does not exist in the project. */
  warnings(workspace: Workspace, tools: readonly StoredTool[]): Promise<string[]>;
  /**
   * Tools that are stored already are not checked, so that a read can be sent back.
   * @throws AppError BadRequestError naming each connection and action that the project does not have
   */
  check(workspace: Workspace, tools: readonly AgentTool[], stored: readonly StoredTool[]): Promise<void>;
  /** Keeps the connections that the tools use from being deleted until the transaction ends. @returns false if one does not exist */
  hold(tx: Queryable, workspace: Workspace, tools: readonly StoredTool[]): Promise<boolean>;
}

export interface Workspace {
  readonly organizationId: string;
  readonly projectId: string;
}

/** The functions of the knowledge-base feature that this feature uses. */
export interface AssignedBases {
  /** `code: text` if a tool searches knowledge bases and the agent has none. @param agentId empty if the agent does not exist yet */
  warnings(
    of: { readonly organizationId: string; readonly agentId: string },
    tools: readonly StoredTool[],
  ): Promise<string[]>;
}

/** Client of the service `knowledge`. */
export interface KnowledgeBases {
  /** Returns the ids that belong to knowledge bases of the project. */
  owned(
    workspace: { readonly organizationId: string; readonly projectId: string },
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<readonly string[]>;
}

/** The dependencies of the use cases. */
export interface Dependencies {
  readonly db: Database;
  readonly insertions: AgentInsertions;
  readonly views: AgentViews;
  readonly pages: AgentPages;
  readonly voiceStack: VoiceStack;
  readonly workers: Pick<Workers, 'check' | 'channels'>;
  readonly credentials: Pick<Credentials, 'find' | 'forCalls'>;
  readonly calls: Pick<LiveCalls, 'of' | 'endOfDraft'>;
  readonly endpoints: Pick<Endpoints, 'audioStreamUrl'>;
  readonly connections: KnownConnections;
  readonly assigned: AssignedBases;
  readonly knowledge: KnowledgeBases;
  readonly vault: Vault;
  /** Decides which addresses agents and their tools may use. */
  readonly policy: AddressPolicy;
  /** Called after the commit of a transaction that wrote outbox entries. */
  onCommit(): void;
  /** Called if a publication was refused, with the code of its first blocker. */
  publicationBlocked(code: string): void;
}

/** A record as JSON text with its entity tag, as a public route returns it. */
export interface AgentAnswer {
  readonly body: string;
  readonly etag: string;
  /** True if the response is an earlier one for the Idempotency-Key. */
  readonly replayed?: boolean;
}
