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

/** What agents need to know of connections, which have a feature of their own. */
export interface KnownConnections {
  /** `code: text` for each tool that names no connection of the project, or no action of it. */
  warnings(
    workspace: { readonly organizationId: string; readonly projectId: string },
    tools: readonly StoredTool[],
  ): Promise<string[]>;
}

/** What agents need to know of the knowledge bases that they answer from, which have a feature of their own. */
export interface AssignedBases {
  /** `code: text` where a tool asks knowledge bases and the agent has none. @param of agentId empty: it is not there yet */
  warnings(
    of: { readonly organizationId: string; readonly agentId: string },
    tools: readonly StoredTool[],
  ): Promise<string[]>;
}

/** What is asked of knowledge. */
export interface KnowledgeBases {
  /** Those of the ids that a project has. */
  owned(
    workspace: { readonly organizationId: string; readonly projectId: string },
    ids: readonly string[],
    context: OutgoingContext,
  ): Promise<readonly string[]>;
}

/** What the use cases work with. */
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
  /** Which addresses agents and their tools may name. */
  readonly policy: AddressPolicy;
  /** To be called after the commit of what was appended to the outbox. */
  onCommit(): void;
  /** A publication was refused; the code of its first blocker. */
  publicationBlocked(code: string): void;
}

/** A record as JSON text with its entity tag, as a public route returns it. */
export interface AgentAnswer {
  readonly body: string;
  readonly etag: string;
  /** True when an Idempotency-Key returned an earlier answer. */
  readonly replayed?: boolean;
}
