import type {
  NumberCreate,
  NumberProvider,
  NumberRecord,
  NumberRule,
  NumberUpdate,
  ProjectListQuery,
} from '@parley/contract';
import { badRequest, conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId, newId, type Database, type OutgoingContext, type Queryable } from '@parley/runtime';
import {
  auditEvent,
  creating,
  pageDocument,
  pagePosition,
  findStoredResponse,
  requireContentScope,
  requireMatch,
  type CreatingRequest,
  type PublicResult,
  type StoredResponse,
} from '@parley/service';
import * as numbers from './numbers.sql';
import {
  findReleased,
  hasLiveCall,
  insertNumber,
  listNumbers,
  lockNumber,
  lockPhoneNumber,
  writeNumber,
  writeReleased,
  type NumberChange,
  type NumberRow,
} from './numbers.sql';
import { keepTrunkOf } from '../sip-trunks/sip-trunks';
import type { Telephony } from '../../telephony';
import type { ProjectLine } from './number.rules';
import { ownerOfNumber } from './number-owner.cross-tenant.sql';

type Needs = Pick<Telephony, 'db' | 'agents' | 'onCommit'>;

export interface CreateNumberInput {
  /** Empty for an operator that specified no organization. */
  readonly organizationId: string;
  readonly request: CreatingRequest;
  /** Validates the fields; called only if there is no stored response. */
  readonly body: () => NumberCreate;
}

/**
 * Adds a number to a project. The number is only a claim until it is verified. Unverified claims of other organizations are ignored.
 * @throws ConflictError if the organization already has the number or another one has verified it; NotFoundError, BadRequestError for the inbound agent and the
 * trunk; ForbiddenError for a number that the organization had before, if its calls would go elsewhere, without recordings:read
 */
export async function createNumber(
  telephony: Needs,
  input: CreateNumberInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = input;
  const earlier = await findStoredResponse(telephony.db, input.request);
  if (earlier !== undefined) return replayed(earlier);
  const { project_id: projectId, phone_number: phoneNumber, provider, ...rest } = input.body();
  if (organizationId === '') throw badRequest('organization_id is required');
  if ((rest.organization_id ?? organizationId) !== organizationId) throw forbidden();
  const inboundAgentId = rest.inbound_agent_id ?? null;
  if (!isId('prj', projectId)) throw notFound('project');
  await checkInboundAgent(telephony, organizationId, projectId, inboundAgentId, context);
  const sipTrunkId = rest.sip_trunk_id ?? null;
  const create = async (tx: Queryable) => {
    await keepTrunkOf(tx, organizationId, provider, sipTrunkId);
    await lockPhoneNumber(tx, phoneNumber);
    const number = {
      numberId: newId('num'),
      projectId,
      phoneNumber,
      provider,
      inboundAgentId,
      simulatorPace: rest.simulator_pace ?? 'instant',
      dialer: rest.dialer ?? 'hosted',
      sipTrunkId,
    };
    const earlier = await findReleased(tx, organizationId, phoneNumber);
    if (earlier !== undefined) checkMoved(earlier, number, context);
    const row = await insertNumber(tx, organizationId, number);
    if (row === undefined) throw conflict('phone_number is in use');
    await auditNumber(tx, 'number.created', row, row.created_at, context);
    const body = renderNumber(row);
    return { status: 201, body, recordId: row.number_id, value: { body, etag: etagOf(row) } };
  };
  const { value, stored } = await creating(telephony.db, input.request, create, { recalled: true });
  telephony.onCommit(false);
  return value ?? replayed(stored);
}

/**
 * Checks where the calls of a number go from now on (docs/reference/keys.md#content). Without a trunk they go nowhere.
 * @throws AppError ForbiddenError without recordings:read
 */
function checkMoved(
  before: NumberRow,
  { dialer, sipTrunkId }: Pick<NumberChange, 'dialer' | 'sipTrunkId'>,
  { caller }: OutgoingContext,
): void {
  if (dialer !== before.dialer || ![null, before.sip_trunk_id].includes(sipTrunkId)) requireContentScope(caller);
}

/** Records in the audit log which agent answers a number. */
export function auditNumber(
  tx: Queryable,
  action: string,
  row: NumberRow,
  at: Date,
  context: OutgoingContext,
): Promise<void> {
  const detail = {
    phone_number: row.phone_number,
    project_id: row.project_id,
    provider: row.provider,
    inbound_agent_id: row.inbound_agent_id,
    dialer: row.dialer,
    sip_trunk_id: row.sip_trunk_id,
    carrier_credential_id: row.carrier_credential_id,
    verified_at: row.verified_at?.toISOString() ?? null,
  };
  return append(tx, [
    auditEvent({ organizationId: row.organization_id, action, subject: row.number_id, detail }, at, context),
  ]);
}

const replayed = ({ body, recordId }: StoredResponse): PublicResult => ({
  body,
  etag: `"${recordId ?? ''}.1"`,
  replayed: true,
});

/** @throws NotFoundError, BadRequestError if the agent does not exist in the organization or does not belong to the number's project */
async function checkInboundAgent(
  { agents }: Pick<Telephony, 'agents'>,
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

/** A page, newest first. @param render returns a number's JSON: the record, or the rule for media gateways */
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
 * Attaches a number to an agent or detaches it, and sets its dialer. Absent fields remain unchanged.
 * @throws NotFoundError; ForbiddenError for another project than the number's, and for another dialer or trunk without recordings:read; ConflictError for a
 * stale If-Match; BadRequestError for an agent of another project
 */
export async function updateNumber(
  telephony: Needs,
  { organizationId: named, numberId, body, ifMatch }: UpdateNumberInput,
  context: OutgoingContext,
): Promise<PublicResult> {
  const found = await findNumberRecord(telephony, named, numberId);
  const { organization_id: organizationId } = found;
  const {
    inbound_agent_id: inboundAgentId,
    project_id: projectId,
    simulator_pace: pace,
    dialer,
    sip_trunk_id: trunk,
  } = body();
  if (projectId !== undefined && projectId !== found.project_id) throw forbidden();
  // A number never changes its project, so this can be checked before the transaction.
  await checkInboundAgent(telephony, organizationId, found.project_id, inboundAgentId ?? null, context);
  const after = await telephony.db.transaction(async (tx) => {
    const before = await lockNumber(tx, organizationId, numberId);
    if (before === undefined) throw notFound('number');
    const change = {
      inboundAgentId: inboundAgentId === undefined ? before.inbound_agent_id : inboundAgentId,
      simulatorPace: pace ?? before.simulator_pace,
      dialer: dialer ?? before.dialer,
      sipTrunkId: trunk === undefined ? before.sip_trunk_id : trunk,
    };
    checkMoved(before, change, context);
    requireMatch(ifMatch, etagOf(before));
    if (trunk !== undefined) await keepTrunkOf(tx, organizationId, before.provider, trunk);
    const written = await writeNumber(tx, organizationId, numberId, change);
    if (written === undefined) throw notFound('number');
    await auditNumber(tx, 'number.changed', written, written.updated_at, context);
    return written;
  });
  telephony.onCommit(false);
  return numberResult(after);
}

/** A live number by its id. @param named '' for an operator that specified no organization @throws NotFoundError */
export async function findNumberRecord(
  { db }: Pick<Telephony, 'db'>,
  named: string,
  numberId: string,
): Promise<NumberRow> {
  const found = await findNumber(db, named, numberId);
  if (found === undefined) throw notFound('number');
  return found;
}

/** Undefined for a number that does not exist, was released, belongs to another organization, or has a malformed id. */
export async function findNumber(db: Database, named: string, numberId: string): Promise<NumberRow | undefined> {
  if (!isId('num', numberId)) return undefined;
  const organizationId = await organizationOfNumber(db, named, numberId);
  return organizationId === '' ? undefined : numbers.findNumber(db, organizationId, numberId);
}

/** The ways in which calls of a project can be placed: those of its numbers, or without a number by hosted workers and by the organization's own. */
export async function linesOfProject(
  db: Database,
  organizationId: string,
  projectId: string,
): Promise<readonly ProjectLine[]> {
  const lines = await numbers.linesOfProject(db, organizationId, projectId);
  return lines.length === 0 ? [{ dialer: 'hosted' }, { dialer: 'own' }] : lines;
}

/**
 * Releases a number, which others can then claim. It is no longer used for outgoing calls and messages: waiting ones fail when they are due, and campaigns that
 * call from it pause.
 * @throws NotFoundError; ConflictError for a stale If-Match, and while a live call uses the number
 */
export async function releaseNumber(
  telephony: Needs,
  { organizationId: named, numberId, ifMatch }: Omit<UpdateNumberInput, 'body'>,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organization_id: organizationId } = await findNumberRecord(telephony, named, numberId);
  const released = await telephony.db.transaction(async (tx) => {
    const before = await lockNumber(tx, organizationId, numberId);
    if (before === undefined) throw notFound('number');
    requireMatch(ifMatch, etagOf(before));
    if (await hasLiveCall(tx, organizationId, before.phone_number)) throw conflict('a live call uses the number');
    const written = await writeReleased(tx, organizationId, numberId);
    if (written === undefined) throw notFound('number');
    await auditNumber(tx, 'number.released', written, written.updated_at, context);
    return written;
  });
  telephony.onCommit(false);
  return numberResult(released);
}

/** The response with the number's record and its entity tag. */
export const numberResult = (row: NumberRow): PublicResult => ({ body: renderNumber(row), etag: etagOf(row) });

const etagOf = (row: NumberRow): string => `"${row.number_id}.${row.revision}"`;

function renderNumber(row: NumberRow): string {
  const record: NumberRecord = {
    number_id: row.number_id,
    organization_id: row.organization_id,
    project_id: row.project_id,
    phone_number: row.phone_number,
    provider: row.provider as NumberProvider,
    inbound_agent_id: row.inbound_agent_id,
    simulator_pace: row.simulator_pace,
    dialer: row.dialer,
    sip_trunk_id: row.sip_trunk_id,
    carrier_credential_id: row.carrier_credential_id,
    verified_at: row.verified_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  return JSON.stringify(record);
}

/** JSON of the class NumberRule: how a media gateway handles a call to the number. */
export function renderNumberRule(row: NumberRow): string {
  const rule: NumberRule = {
    number_id: row.number_id,
    phone_number: row.phone_number,
    inbound_agent_id: row.inbound_agent_id,
    action: row.inbound_agent_id === null ? 'reject' : 'answer',
  };
  return JSON.stringify(rule);
}

/**
 * The organization in which to search for a number: the specified one. If an operator specified none, it is the number's organization; '' if there is no such
 * number.
 */
export async function organizationOfNumber(db: Database, organizationId: string, numberId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfNumber(db, numberId)) ?? '');
}
