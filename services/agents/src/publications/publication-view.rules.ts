import type { Publication, PublicationSummary } from '@parley/contract';

/** A publication as stored in the history. */
export interface RecordedPublication {
  readonly version: number;
  readonly sha256: string;
  readonly languages: string[];
  readonly catalogueVersion: string;
  /** ISO 8601. */
  readonly publishedAt: string;
  /** The version that calls currently use. */
  readonly currentVersion: number;
}

/** A publication in the list. */
export function publicationSummary(agentId: string, recorded: RecordedPublication): PublicationSummary {
  return {
    agent_id: agentId,
    version: recorded.version,
    publication_id: `pub_${recorded.sha256}`,
    published_at: recorded.publishedAt,
    languages: recorded.languages,
    catalogue_version: recorded.catalogueVersion,
    current: recorded.version === recorded.currentVersion,
  };
}

const greatestVersion = 2_147_483_647;

/** The version number in a path; undefined if invalid. */
export function versionOf(text: string): number | undefined {
  const version = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;
  return version !== undefined && version <= greatestVersion ? version : undefined;
}

/**
 * The content of a publication as reads return it, without its tools. They are only a copy of the tools at the time of the publication: a call pins the agent's
 * current tools when it starts.
 */
export function shownContent(content: string): string {
  const { tools: _stale, ...publication } = JSON.parse(content) as Publication;
  return JSON.stringify(publication);
}
