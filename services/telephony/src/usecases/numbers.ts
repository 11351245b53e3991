import { badRequest, conflict, forbidden, notFound } from '@parley/errors';
import { creating, recall, type CreatingRequest, type Remembered } from '@parley/service';
import { Number as NumberCodec, type Number as NumberMessage } from '@parley/proto/telephony';
import {
  decodeCursor,
  encodeCursor,
  isId,
  newId,
  throwRefusal,
  type Database,
  type OutgoingContext,
  type Queryable,
} from '@parley/runtime';
import { findNumber, insertNumber, listNumbers, lockNumber, writeInboundAgent, type NumberRow } from '../db/numbers';
import { auditAct } from '../events/audit-act';
import { organizationOfNumber } from './owner';
import type { Telephony } from './telephony';

export interface CreateNumberInput {
  readonly organizationId: string;
  readonly request: CreatingRequest;
  /** Gives the checked fields; called only when no earlier answer stands. */
  readonly fields: () => NumberFields;
}

export interface NumberFields {
  readonly projectId: string;
  readonly phoneNumber: string;
  readonly provider: string;
  /** Empty for none. */
  readonly inboundAgentId: string;
}

export interface NumberAnswer {
  readonly number: NumberMessage;
  readonly etag: string;
  readonly replayed: boolean;
}

/**
 * Adds a number to a project.
 * @throws ConflictError when the phone number is live already; NotFoundError, BadRequestError for the inbound agent
 */
export async function createNumber(
  telephony: Telephony,
  input: CreateNumberInput,
  context: OutgoingContext,
): Promise<NumberAnswer> {
  const { organizationId } = input;
  const earlier = await recall(telephony.db, input.request);
  if (earlier !== undefined) return replayed(earlier);
  if (organizationId === '') throw badRequest('organization_id is required');
  const { projectId, phoneNumber, provider, inboundAgentId } = input.fields();
  if (!isId('prj', projectId)) throw notFound('project');
  await checkInboundAgent(telephony, organizationId, projectId, inboundAgentId, context);
  const create = async (tx: Queryable) => {
    const row = await insertNumber(tx, organizationId, {
      numberId: newId('num'),
      projectId,
      phoneNumber,
      provider,
      inboundAgentId: inboundAgentId === '' ? null : inboundAgentId,
    });
    if (row === undefined) throw conflict('phone_number is in use');
    await auditNumber(tx, 'number.created', row, row.created_at, context);
    const number = numberOf(row);
    const body = JSON.stringify(NumberCodec.toJSON(number));
    return { status: 201, body, recordId: row.number_id, value: { number, etag: etagOf(row), replayed: false } };
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

function replayed(remembered: Remembered): NumberAnswer {
  const number = NumberCodec.fromJSON(JSON.parse(remembered.body));
  return { number, etag: `"${number.numberId}.1"`, replayed: true };
}

/** The agent exists in the organization and belongs to the number's project. */
async function checkInboundAgent(
  { agents }: Telephony,
  organizationId: string,
  projectId: string,
  agentId: string,
  context: OutgoingContext,
): Promise<void> {
  if (agentId === '') return;
  if (!isId('agt', agentId)) throw notFound('agent');
  const agent = await agents.getAgentForCall({ organizationId, agentId }, context);
  if (agent.projectId !== projectId) throw badRequest("inbound_agent_id is not an agent of the number's project");
}

export interface ListNumbersInput {
  readonly organizationId: string;
  readonly projectId: string;
  readonly cursor: string;
  readonly limit: number;
}

/** Newest first. */
export async function listNumberPage(
  db: Database,
  input: ListNumbersInput,
): Promise<{ numbers: NumberMessage[]; nextCursor: string }> {
  if (input.organizationId === '') throw badRequest('organization_id is required');
  const before = input.cursor === '' ? '' : (decodeCursor(input.cursor, 1)[0] ?? '');
  const rows = await listNumbers(db, input.organizationId, input.projectId, before, input.limit + 1);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  const more = last !== undefined && rows.length > page.length;
  return { numbers: page.map(numberOf), nextCursor: more ? encodeCursor([last.number_id]) : '' };
}

export interface UpdateNumberInput {
  readonly organizationId: string;
  readonly numberId: string;
  /** Empty detaches. */
  readonly inboundAgentId: string;
  /** The project that the body repeats; empty for none. */
  readonly projectId: string;
  /** Why the fields are refused, once the number is found; absent: they are good. */
  readonly refusal?: Uint8Array;
  /** The If-Match header; empty for none. */
  readonly ifMatch: string;
}

/**
 * @throws NotFoundError; ForbiddenError for another project than the number's; ConflictError for a stale If-Match; BadRequestError for
 *   an agent of another project
 */
export async function updateNumber(
  telephony: Telephony,
  input: UpdateNumberInput,
  context: OutgoingContext,
): Promise<NumberAnswer> {
  const { numberId, inboundAgentId } = input;
  if (!isId('num', numberId)) throw notFound('number');
  const organizationId = await organizationOfNumber(telephony.db, input.organizationId, numberId);
  if (organizationId === '') throw notFound('number');
  const found = await findNumber(telephony.db, organizationId, numberId);
  if (found === undefined) throw notFound('number');
  throwRefusal(input.refusal);
  if (input.projectId !== '' && input.projectId !== found.project_id) throw forbidden();
  // A number never changes its project, so that this can be asked before the transaction.
  await checkInboundAgent(telephony, organizationId, found.project_id, inboundAgentId, context);
  const answer = await telephony.db.transaction(async (tx) => {
    const before = await lockNumber(tx, organizationId, numberId);
    if (before === undefined) throw notFound('number');
    if (!matches(input.ifMatch, etagOf(before))) throw conflict('the number was changed since it was read');
    const after = await writeInboundAgent(tx, organizationId, numberId, inboundAgentId === '' ? null : inboundAgentId);
    if (after === undefined) throw notFound('number');
    await auditNumber(tx, 'number.changed', after, after.updated_at, context);
    return { number: numberOf(after), etag: etagOf(after), replayed: false };
  });
  telephony.committed(false);
  return answer;
}

const etagOf = (row: NumberRow): string => `"${row.number_id}.${row.revision}"`;

/** An If-Match header as HTTP has it: a list of tags, or `*`. */
function matches(ifMatch: string, etag: string): boolean {
  if (ifMatch === '' || ifMatch.trim() === '*') return true;
  return ifMatch.split(',').some((tag) => tag.trim() === etag);
}

function numberOf(row: NumberRow): NumberMessage {
  return {
    numberId: row.number_id,
    organizationId: row.organization_id,
    projectId: row.project_id,
    phoneNumber: row.phone_number,
    provider: row.provider,
    inboundAgentId: row.inbound_agent_id ?? '',
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
