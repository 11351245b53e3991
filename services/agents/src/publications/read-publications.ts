import type { ListQuery, PublicationDiff, ComponentCredentialBindings } from '@parley/contract';
import { notFound } from '@parley/errors';
import type { OutgoingContext, Queryable } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import { findPublicationRow, listPublicationRows, findPublishedConfiguration } from './publications.sql';
import { publicationDiff, type ShownPublication } from './publication-diff.rules';
import { publicationSummary, shownContent, versionOf, type RecordedPublication } from './publication-view.rules';
import { findWorkspaceId, type Dependencies } from '../agents';

/** A version of an agent's publication. `version` is text from the path. */
export interface NamedPublication {
  readonly organizationId: string;
  readonly agentId: string;
  readonly version: string;
}

const beyondEveryVersion = 2_147_483_647;

/**
 * GET /v1/agents/{agent_id}/publications: the response as JSON text, newest first. @throws NotFoundError if the agent does not exist or belongs to another
 * organization
 */
export async function listPublications(
  { db }: Dependencies,
  { organizationId: named, agentId }: Omit<NamedPublication, 'version'>,
  query: ListQuery,
): Promise<string> {
  const organizationId = await findWorkspaceId(db, named, agentId);
  const { limit, after: [last] = [] } = pagePosition(query, ['count']);
  const below = last === undefined ? beyondEveryVersion : Number(last);
  const rows = await listPublicationRows(db, organizationId, { agentId, below, limit });
  if (rows === undefined) throw notFound('agent');
  return pageDocument(
    rows,
    limit,
    (row) => JSON.stringify(publicationSummary(agentId, row)),
    ({ version }) => [version],
  );
}

/** GET /v1/agents/{agent_id}/publications/{version}, as JSON text: the stored content without its tools. */
export async function getPublication(
  dependencies: Dependencies,
  request: NamedPublication,
  context: OutgoingContext,
): Promise<string> {
  const { organizationId, recorded } = await find(dependencies, request, versionOf(request.version));
  const content = shownContent(await dependencies.voiceStack.publication(organizationId, recorded.sha256, context));
  return `${JSON.stringify(publicationSummary(request.agentId, recorded)).slice(0, -1)},"content":${content}}`;
}

/**
 * GET /v1/agents/{agent_id}/publications/{version}/diff. Compared with version 0 everything is an addition. Without `against` it is compared with the previous
 * version.
 */
export async function diffPublication(
  dependencies: Dependencies,
  request: NamedPublication & { readonly against: number | undefined },
  context: OutgoingContext,
): Promise<PublicationDiff> {
  const { agentId } = request;
  const { organizationId, recorded } = await find(dependencies, request, versionOf(request.version));
  const against = request.against ?? recorded.version - 1;
  const loadContent = async ({ sha256 }: RecordedPublication): Promise<ShownPublication> =>
    JSON.parse(
      shownContent(await dependencies.voiceStack.publication(organizationId, sha256, context)),
    ) as ShownPublication;
  const before = against === 0 ? undefined : (await find(dependencies, request, against)).recorded;
  const changes = publicationDiff(before && (await loadContent(before)), await loadContent(recorded));
  return { agent_id: agentId, version: recorded.version, against, changes };
}

/** An unknown version and another organization's agent result in the same error. */
async function find(
  { db }: Dependencies,
  { organizationId: named, agentId }: NamedPublication,
  version: number | undefined,
): Promise<{ organizationId: string; recorded: RecordedPublication }> {
  const organizationId = await findWorkspaceId(db, named, agentId);
  const recorded = version === undefined ? undefined : await findPublicationRow(db, organizationId, agentId, version);
  if (recorded === undefined) throw notFound('publication');
  return { organizationId, recorded };
}

/** The bindings of a published version; undefined if there is none. */
export async function publishedBindings(
  db: Queryable,
  organizationId: string,
  agentId: string,
  version: number,
): Promise<ComponentCredentialBindings | undefined> {
  const configuration = await findPublishedConfiguration(db, organizationId, agentId, version);
  if (configuration === undefined) return undefined;
  const { component_credential_bindings: bindings } = JSON.parse(configuration) as {
    component_credential_bindings?: ComponentCredentialBindings;
  };
  return bindings ?? { stt: null, llm: null, tts: null };
}

/** Returns the hash of a version's publication; undefined if there is none. */
export const publicationSha256 = async (
  db: Queryable,
  organizationId: string,
  agentId: string,
  version: number,
): Promise<string | undefined> => (await findPublicationRow(db, organizationId, agentId, version))?.sha256;
