import { limits, type Publication, type PublicationDiff } from '@parley/contract';
import { badRequest, notFound } from '@parley/errors';
import { decodeCursor, encodeCursor, type OutgoingContext } from '@parley/runtime';
import { findPublicationRow, listPublicationRows } from '../db/publications';
import { publicationDiff } from '../domain/publication-diff';
import { publicationSummary, versionOf, type RecordedPublication } from '../domain/publication-view';
import type { Dependencies } from './dependencies';
import { workspaceOf } from './find-workspace';

/** One version of one agent; the version as it stands in the path. */
export interface NamedPublication {
  readonly organizationId: string;
  readonly agentId: string;
  readonly version: string;
}

export interface ListPublications {
  readonly organizationId: string;
  readonly agentId: string;
  /** 1 to 100; 0 stands for the default. */
  readonly limit: number;
  /** Empty for the first page. */
  readonly cursor: string;
}

const beyondEveryVersion = 2_147_483_647;

/** GET /v1/agents/{agent_id}/publications: the whole answer as JSON text, newest first. NotFoundError when absent or foreign. */
export async function listPublications({ db }: Dependencies, request: ListPublications): Promise<string> {
  const { agentId, cursor } = request;
  const limit = request.limit === 0 ? limits.pageSizeDefault : request.limit;
  if (limit < limits.pageSize.min || limit > limits.pageSize.max)
    throw badRequest(`limit must be ${limits.pageSize.min} to ${limits.pageSize.max}`);
  const organizationId = await workspaceOf(db, request.organizationId, agentId);
  const below = cursor === '' ? beyondEveryVersion : belowOf(cursor);
  const rows = await listPublicationRows(db, organizationId, { agentId, below, limit });
  if (rows === undefined) throw notFound('agent');
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return JSON.stringify({
    data: page.map((row) => publicationSummary(agentId, row)),
    next_cursor: last !== undefined && rows.length > limit ? encodeCursor([last.version]) : null,
  });
}

/** GET /v1/agents/{agent_id}/publications/{version}, as JSON text; the content goes through as it was stored. */
export async function getPublication(
  dependencies: Dependencies,
  request: NamedPublication,
  context: OutgoingContext,
): Promise<string> {
  const { organizationId, recorded } = await find(dependencies, request, versionOf(request.version));
  const content = await dependencies.voiceStack.publication(organizationId, recorded.sha256, context);
  return `${JSON.stringify(publicationSummary(request.agentId, recorded)).slice(0, -1)},"content":${content}}`;
}

/** GET /v1/agents/{agent_id}/publications/{version}/diff. Against 0 everything was added; without `against`, the version before. */
export async function diffPublication(
  dependencies: Dependencies,
  request: NamedPublication & { readonly against: number | undefined },
  context: OutgoingContext,
): Promise<PublicationDiff> {
  const { agentId } = request;
  const { organizationId, recorded } = await find(dependencies, request, versionOf(request.version));
  const against = request.against ?? recorded.version - 1;
  const contentOf = async ({ sha256 }: RecordedPublication): Promise<Publication> =>
    JSON.parse(await dependencies.voiceStack.publication(organizationId, sha256, context)) as Publication;
  const before = against === 0 ? undefined : (await find(dependencies, request, against)).recorded;
  const changes = publicationDiff(before && (await contentOf(before)), await contentOf(recorded));
  return { agent_id: agentId, version: recorded.version, against, changes };
}

/** A version that never was and an agent of somebody else answer alike. */
async function find(
  { db }: Dependencies,
  { organizationId: named, agentId }: NamedPublication,
  version: number | undefined,
): Promise<{ organizationId: string; recorded: RecordedPublication }> {
  const organizationId = await workspaceOf(db, named, agentId);
  const recorded = version === undefined ? undefined : await findPublicationRow(db, organizationId, agentId, version);
  if (recorded === undefined) throw notFound('publication');
  return { organizationId, recorded };
}

function belowOf(cursor: string): number {
  const [version = ''] = decodeCursor(cursor, 1, ['integer']);
  return Math.min(Number(version), beyondEveryVersion);
}
