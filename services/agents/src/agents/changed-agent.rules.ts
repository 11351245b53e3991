import type { AgentDocument } from './agent-document.rules';
import { changesLanguages } from './publication-decision.rules';
import { sameFields } from '../same.rules';
import { suspendedFrom, suspensionAfter } from './suspension.rules';
import type { AgentStatus, Compiled, Published, StoredAgent } from './stored-agent.rules';

/** The result of applying a request to an agent. */
export interface Change {
  readonly document: AgentDocument;
  readonly status: AgentStatus;
  /** Whether the request body contains `languages`. */
  readonly carriesLanguages: boolean;
  /** Whether it is a voice-stack save. */
  readonly savesVoiceStack?: boolean;
  /** The reason of a suspension. */
  readonly suspensionReason?: string | null;
  /** Whether unchanged content is published too. */
  readonly alwaysPublishes?: boolean;
}

/** Whether the stored data changes. */
export function isChanged(agent: StoredAgent, change: Change): boolean {
  return agent.status !== change.status || !sameFields(agent.document, change.document);
}

export interface Outcome {
  readonly change: Change;
  readonly compiled: Compiled;
  /** Hexadecimal SHA-256 of the publication; undefined if the change is not published. */
  readonly publishedSha256: string | undefined;
  /** The database's clock, ISO 8601. */
  readonly now: string;
}

/** The agent after a change: with the next revision, and the next version if it is published. */
export function changedAgent(agent: StoredAgent, { change, compiled, publishedSha256, now }: Outcome): StoredAgent {
  const movesLanguages = publishedSha256 !== undefined || changesLanguages(agent.document, change.document);
  return {
    ...agent,
    status: change.status,
    suspendedFrom: suspendedFrom(agent, change.status),
    suspension: suspensionAfter(agent, change, now),
    revision: agent.revision + 1,
    languageProfileRevision: agent.languageProfileRevision + (movesLanguages ? 1 : 0),
    document: change.document,
    compiled,
    published:
      publishedSha256 === undefined
        ? agent.published
        : published(agent.published.version + 1, publishedSha256, compiled, now),
    updatedAt: now,
  };
}

function published(version: number, sha256: string, { projection }: Compiled, at: string): Published {
  const { languages, follow_caller, starting_language } = projection.published;
  return { version, sha256, at, languages, followCaller: follow_caller, startingLanguage: starting_language };
}
