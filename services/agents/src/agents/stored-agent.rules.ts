import type { AgentFollowCaller, AgentSuspension, VoiceStackProjection } from '@parley/contract';
import type { AgentDocument } from './agent-document.rules';
import type { ToolSecrets } from './tool-secrets.rules';

/** `suspended` is set by an operator; an update cannot leave it (docs/reference/agents.md#status). */
export type AgentStatus = 'active' | 'inactive' | 'suspended';

/** The statuses that an update can set (docs/reference/agents.md#status). */
export type SettableStatus = Exclude<AgentStatus, 'suspended'>;

/** The latest publication (docs/reference/voice-stack.md#languages). Version 0 with empty fields: nothing has been published. */
export interface Published {
  readonly version: number;
  readonly sha256: string;
  /** ISO 8601, or empty. */
  readonly at: string;
  readonly languages: readonly string[];
  /** Null if follow_caller is not enabled. */
  readonly followCaller: AgentFollowCaller | null;
  /** Empty if follow_caller is not enabled. */
  readonly startingLanguage: string;
}

/** Computed by voice-stack from the configuration, with the catalogue's version. */
export interface Compiled {
  readonly projection: VoiceStackProjection;
  readonly catalogueVersion: string;
  readonly costMicrosPerMinute: number;
}

/** An agent with all data from which its views are rendered. */
export interface StoredAgent {
  readonly agentId: string;
  readonly organizationId: string;
  readonly projectId: string;
  readonly status: AgentStatus;
  /** Set while the agent is suspended: the status to restore at reinstatement. */
  readonly suspendedFrom?: SettableStatus;
  /** Set while the agent is suspended; absent if an earlier version suspended it. */
  readonly suspension?: AgentSuspension;
  /** Incremented with every change, from 1; returned as the ETag. */
  readonly revision: number;
  /** Counts changes of the language fields and publications (language_profile_revision, docs/reference/voice-stack.md). */
  readonly languageProfileRevision: number;
  readonly document: AgentDocument;
  readonly toolSecrets: ToolSecrets;
  readonly compiled: Compiled;
  readonly published: Published;
  /** ISO 8601, the database's clock. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export const neverPublished: Published = {
  version: 0,
  sha256: '',
  at: '',
  languages: [],
  followCaller: null,
  startingLanguage: '',
};
