import type { Database, OutgoingContext } from '@parley/runtime';
import type { StoredTool } from '@parley/contract';
import type { AddressPolicy } from '@parley/service';
import type { Vault } from '@parley/vault';
import type { AgentPages } from './agent-pages';
import type { AgentViews } from './agent-views';
import type { Credentials } from './credentials-client';
import type { Endpoints } from './endpoints-client';
import type { LiveCalls } from './live-calls-client';
import type { VoiceStack } from './voice-stack-client';
import type { Workers } from './workers-client';

/** The interface to connections, which are a separate feature. */
export interface KnownConnections {
  /** `code: text` for each tool whose connection or action does not exist in the project. */
  warnings(
    workspace: { readonly organizationId: string; readonly projectId: string },
    tools: readonly StoredTool[],
  ): Promise<string[]>;
}

/** The interface to assigned knowledge bases, which are a separate feature. */
export interface AssignedBases {
  /** `code: text` if a tool queries knowledge bases and the agent has none. @param agentId empty: it does not exist yet */
  warnings(
    of: { readonly organizationId: string; readonly agentId: string },
    tools: readonly StoredTool[],
  ): Promise<string[]>;
}

/** The client of knowledge. */
export interface KnowledgeBases {
  /** Those of the ids that belong to the project. */
  owned(
    workspace: { readonly organizationId: string; readonly projectId: string },
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<readonly string[]>;
}

/** The dependencies of the use cases. */
export interface Dependencies {
  readonly db: Database;
  readonly views: AgentViews;
  readonly pages: AgentPages;
  readonly voiceStack: VoiceStack;
  readonly workers: Pick<Workers, 'judge'>;
  readonly credentials: Pick<Credentials, 'find' | 'forCalls'>;
  readonly calls: Pick<LiveCalls, 'of' | 'endOfDraft'>;
  readonly endpoints: Pick<Endpoints, 'audioStreamUrl'>;
  readonly connections: KnownConnections;
  readonly assigned: AssignedBases;
  readonly knowledge: KnowledgeBases;
  readonly vault: Vault;
  /** Which addresses agents and their tools may use. */
  readonly policy: AddressPolicy;
  /** Called after the commit of outbox entries. */
  onCommit(): void;
  /** A publication was refused; the code of its first blocker. */
  publicationBlocked(code: string): void;
}

/** A record as JSON text with its entity tag, as a public route returns it. */
export interface AgentAnswer {
  readonly body: string;
  readonly etag: string;
  /** True if the response is an earlier one for the Idempotency-Key. */
  readonly replayed?: boolean;
}
