import type {
  NumberCreate,
  NumberProvider,
  NumberRecord,
  NumberRule,
  NumberUpdate,
  ProjectListQuery,
} from '@parley/contract';
import { badRequest, conflict, forbidden, notFound } from '@parley/errors';
import { isId, newId, type Database, type OutgoingContext, type Queryable } from '@parley/runtime';
import {
  creating,
  pageDocument,
  pagePosition,
  recall,
  requireMatch,
  type CreatingRequest,
  type PublicResult,
  type Remembered,
} from '@parley/service';
import { findNumber, insertNumber, listNumbers, lockNumber, writeInboundAgent, type NumberRow } from '../db/numbers';
import { auditAct } from '../events/audit-act';
import { organizationOfNumber } from './owner';
import type { Telephony } from './telephony';

export interface CreateNumberInput {
  /** Empty for an operator who named none. */
  readonly organizationId: string;
  readonly request: CreatingRequest;
  /** Validates the fields; called only when no earlier answer stands. */
  readonly body: () => NumberCreate;
}

/**
 * Adds a number to a project.
 * @throws ConflictError when the phone number is live already; NotFoundError, BadRequestError for the inbound agent
 */
export async function createNumber(
  telephony: Telephony,
  input: CreateNumberInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = input;
  const earlier = await recall(telephony.db, input.request);
  if (earlier !== undefined) return replayed(earlier);
  const { project_id: projectId, phone_number: phoneNumber, provider, ...rest } = input.body();
  if (organizationId === '') throw badRequest('organization_id is required');
  if (rest.organization_id !== organizationId) throw forbidden();
  const inboundAgentId = rest.inbound_agent_id ?? null;
  if (!isId('prj', projectId)) throw notFound('project');
  await checkInboundAgent(telephony, organizationId, projectId, inboundAgentId, context);
  const create = async (tx: Queryable) => {
    const number = { numberId: newId('num'), projectId, phoneNumber, provider, inboundAgentId };
    const row = await insertNumber(tx, organizationId, number);
    if (row === undefined) throw conflict('phone_number is in use');
    await auditNumber(tx, 'number.created', row, row.created_at, context);
    const body = renderNumber(row);
    return { status: 201, body, recordId: row.number_id, value: { body, etag: etagOf(row) } };
  };
  const { value, remembered } = await creating(telephony.db, input.request, create, { recalled: true });
  telephony.committed(false);
  return value ?? replayed(remembered);
}

/** Who answers which number is for the audit log. */
function auditNumber(tx: Queryable, action: string, row: NumberRow, at: Date, context: OutgoingContext): Promise<void> {
  const detail = {
    phone_number: row.phone_number,
    project_id: row.project_id,
    provider: row.provider,
    inbound_agent_id: row.inbound_agent_id,
  };
  return auditAct(tx, { organizationId: row.organization_id, action, subject: row.number_id, detail }, at, context);
}

const replayed = ({ body, recordId }: Remembered): PublicResult => ({
  body,
  etag: `"${recordId ?? ''}.1"`,
  replayed: true,
});

/** The agent exists in the organization and belongs to the number's project. */
async function checkInboundAgent(
  { agents }: Telephony,
  organizationId: string,
  projectId: string,
  agentId: string | null,
  context: OutgoingContext,
): Promise<void> {
  if (agentId === null) return;
  if (!isId('agt', agentId)) throw notFound('agent');
  const agent = await agents.getAgentForCall({ organizationId, agentId }, context);
  if (agent.projectId !== projectId) throw badRequest("inbound_agent_id is not an agent of the number's project");
}

/** A page, newest first. @param render a number's JSON: the record, or the rule that a media gateway reads */
export async function listNumberPage(
  db: Database,
  organizationId: string,
  query: ProjectListQuery,
  render: (row: NumberRow) => string = renderNumber,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const rows = await listNumbers(db, organizationId, query.project_id ?? '', after?.[0] ?? '', limit + 1);
  return pageDocument(rows, limit, render, (row) => [row.number_id]);
}

export interface UpdateNumberInput {
  readonly organizationId: string;
  readonly numberId: string;
  /** Validates the fields; called once the number is found. */
  readonly body: () => NumberUpdate;
  /** The If-Match header; empty for none. */
  readonly ifMatch: string;
}

/**
 * Attaches a number to an agent, or detaches it.
 * @throws NotFoundError; ForbiddenError for another project than the number's; ConflictError for a stale If-Match; BadRequestError for
 *   an agent of another project
 */
export async function updateNumber(
  telephony: Telephony,
  { organizationId: named, numberId, body, ifMatch }: UpdateNumberInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  if (!isId('num', numberId)) throw notFound('number');
  const organizationId = await organizationOfNumber(telephony.db, named, numberId);
  if (organizationId === '') throw notFound('number');
  const found = await findNumber(telephony.db, organizationId, numberId);
  if (found === undefined) throw notFound('number');
  const { inbound_agent_id: inboundAgentId, project_id: projectId } = body();
  if (projectId !== undefined && projectId !== found.project_id) throw forbidden();
  // A number never changes its project, so that this can be asked before the transaction.
  await checkInboundAgent(telephony, organizationId, found.project_id, inboundAgentId, context);
  const after = await telephony.db.transaction(async (tx) => {
    const before = await lockNumber(tx, organizationId, numberId);
    if (before === undefined) throw notFound('number');
    requireMatch(ifMatch, etagOf(before));
    const written = await writeInboundAgent(tx, organizationId, numberId, inboundAgentId);
    if (written === undefined) throw notFound('number');
    await auditNumber(tx, 'number.changed', written, written.updated_at, context);
    return written;
  });
  telephony.committed(false);
  return { body: renderNumber(after), etag: etagOf(after) };
}

const etagOf = (row: NumberRow): string => `"${row.number_id}.${row.revision}"`;

function renderNumber(row: NumberRow): string {
  const record: NumberRecord = {
    number_id: row.number_id,
    organization_id: row.organization_id,
    project_id: row.project_id,
    phone_number: row.phone_number,
    provider: row.provider as NumberProvider,
    inbound_agent_id: row.inbound_agent_id,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  return JSON.stringify(record);
}

/** What a media gateway does with a call to the number. */
export function renderNumberRule(row: NumberRow): string {
  const rule: NumberRule = {
    number_id: row.number_id,
    phone_number: row.phone_number,
    inbound_agent_id: row.inbound_agent_id,
    action: row.inbound_agent_id === null ? 'reject' : 'answer',
  };
  return JSON.stringify(rule);
}
