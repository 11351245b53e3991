import type { ListQuery, SipTrunkCreate, SipTrunkRecord, SipTrunkUpdate } from '@parley/contract';
import { conflict, forbidden, invalidField, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { type Database, isId, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import {
  auditEvent,
  checkAddress,
  creating,
  type CreatingRequest,
  pageDocument,
  pagePosition,
  type PublicResult,
  findStoredResponse,
  requireContentScope,
  requireMatch,
} from '@parley/service';
import { loadOrCreateState } from '../../books';
import { ownerOfSipTrunk } from '../numbers/number-owner.cross-tenant.sql';
import type { Network } from '../carriers/carrier';
import type { Telephony } from '../../telephony';
import {
  findSipTrunk,
  insertSipTrunk,
  isTrunkInUse,
  keepSipTrunk,
  listSipTrunks,
  lockSipTrunk,
  removeSipTrunk,
  type SipTrunkFields,
  type SipTrunkRow,
  writeSipTrunk,
} from './sip-trunks.sql';
import { sealPassword } from './trunk-password';

type Needs = Pick<Telephony, 'db' | 'vault' | 'openOrganization' | 'onCommit'> & Pick<Network, 'sip'>;

const defaultPort = 5_060;

/**
 * Stores a SIP trunk. Reads never return its password.
 * @throws NotFoundError for an unknown organization; BadRequestError for a host that the address policy forbids
 */
export async function createSipTrunk(
  telephony: Needs,
  request: CreatingRequest,
  body: () => SipTrunkCreate,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = request;
  const earlier = await findStoredResponse(telephony.db, request);
  if (earlier !== undefined) return { body: earlier.body, etag: firstEtagOf(earlier.recordId ?? ''), replayed: true };
  const {
    name,
    host,
    port = defaultPort,
    transport,
    username = null,
    password,
    codecs,
    cold_transfers = 'bridge',
    numbers = 'as_sent',
    trusted = false,
  } = body();
  checkHost(telephony, host);
  await loadOrCreateState(telephony, organizationId);
  const work = async (tx: Queryable) => {
    const sipTrunkId = newId('trk');
    const sealed = sealPassword(telephony.vault, { organizationId, sipTrunkId }, password);
    const numbers_country = countryOf(numbers);
    const fields = {
      name,
      host,
      port,
      transport,
      username,
      codecs,
      cold_transfers,
      numbers_country,
      trusted,
      ...sealed,
    };
    const row = await insertSipTrunk(tx, organizationId, sipTrunkId, fields);
    await audit(tx, 'sip_trunk.created', row, context);
    const rendered = render(row);
    return { status: 201, body: rendered, recordId: sipTrunkId, value: { body: rendered, etag: etagOf(row) } };
  };
  const { value, stored } = await creating(telephony.db, request, work, { recalled: true });
  telephony.onCommit(false);
  const id = stored?.recordId ?? '';
  return value ?? { body: stored?.body ?? '', etag: firstEtagOf(id), replayed: true };
}

/** A page, newest first. */
export async function listSipTrunkPage(
  { db }: Pick<Telephony, 'db'>,
  organizationId: string,
  query: ListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query);
  const rows = await listSipTrunks(db, organizationId, after?.[0] ?? '', limit + 1);
  return pageDocument(rows, limit, render, (row) => [row.sip_trunk_id]);
}

/** @param named '' for an operator that specified no organization @throws NotFoundError */
export async function getSipTrunk(
  { db }: Pick<Telephony, 'db'>,
  named: string,
  sipTrunkId: string,
): Promise<PublicResult> {
  const organizationId = await findOrganization(db, named, sipTrunkId);
  const row = await findSipTrunk(db, organizationId, sipTrunkId);
  if (row === undefined) throw notFound('sip_trunk');
  return { body: render(row), etag: etagOf(row) };
}

/** The trunk of a line, whose account is the trunk's id. */
export const trunkOfLine = (
  db: Queryable,
  organizationId: string,
  accountSid: string,
): Promise<SipTrunkRow | undefined> => findSipTrunk(db, organizationId, accountSid);

export interface ChangeSipTrunk {
  readonly organizationId: string;
  readonly sipTrunkId: string;
  readonly ifMatch: string;
}

/**
 * Updates a trunk; the changes apply to calls placed from then on.
 * @throws NotFoundError; ForbiddenError for another organization than the trunk's, and for another peer without recordings:read; ConflictError for a stale
 * If-Match; BadRequestError for a host that the address policy forbids, and for a changed peer without a password, because a password is sent only to the peer
 * for which it was entered
 */
export async function updateSipTrunk(
  telephony: Needs,
  { organizationId: named, sipTrunkId, ifMatch, body }: ChangeSipTrunk & { readonly body: () => SipTrunkUpdate },
  context: OutgoingContext,
): Promise<PublicResult> {
  const organizationId = await findOrganization(telephony.db, named, sipTrunkId);
  if ((await findSipTrunk(telephony.db, organizationId, sipTrunkId)) === undefined) throw notFound('sip_trunk');
  const change = body();
  if ((change.organization_id ?? organizationId) !== organizationId) throw forbidden();
  const after = await telephony.db.transaction(async (tx) => {
    const before = await lockSipTrunk(tx, organizationId, sipTrunkId);
    if (before === undefined) throw notFound('sip_trunk');
    if (!hasSamePeer(before, change)) requireContentScope(context.caller);
    if (change.host !== undefined) checkHost(telephony, change.host);
    requireMatch(ifMatch, etagOf(before));
    const written = await writeSipTrunk(tx, organizationId, sipTrunkId, changed(telephony, before, change));
    if (written === undefined) throw notFound('sip_trunk');
    await audit(tx, 'sip_trunk.updated', written, context);
    return written;
  });
  telephony.onCommit(false);
  return { body: render(after), etag: etagOf(after) };
}

/** @throws NotFoundError; ConflictError for a stale If-Match, and while a number uses the trunk */
export async function deleteSipTrunk(
  telephony: Needs,
  { organizationId: named, sipTrunkId, ifMatch }: ChangeSipTrunk,
  context: OutgoingContext,
): Promise<PublicResult> {
  const organizationId = await findOrganization(telephony.db, named, sipTrunkId);
  const removed = await telephony.db.transaction(async (tx) => {
    const row = await lockSipTrunk(tx, organizationId, sipTrunkId);
    if (row === undefined) throw notFound('sip_trunk');
    requireMatch(ifMatch, etagOf(row));
    if (await isTrunkInUse(tx, organizationId, sipTrunkId)) throw conflict('a number uses the trunk');
    await removeSipTrunk(tx, organizationId, sipTrunkId);
    await audit(tx, 'sip_trunk.deleted', row, context);
    return row;
  });
  telephony.onCommit(false);
  return { body: render(removed), etag: etagOf(removed) };
}

const countryOf = (numbers: SipTrunkRecord['numbers']): string | null =>
  numbers === 'as_sent' ? null : numbers.country;

const hasSamePeer = (before: SipTrunkRow, { host, port, transport }: SipTrunkUpdate): boolean =>
  [undefined, before.host].includes(host) &&
  [undefined, before.port].includes(port) &&
  [undefined, before.transport].includes(transport);

function changed({ vault }: Pick<Telephony, 'vault'>, before: SipTrunkRow, change: SipTrunkUpdate): SipTrunkFields {
  const { name = before.name, host = before.host, port = before.port, transport = before.transport } = change;
  const { codecs = before.codecs, cold_transfers = before.cold_transfers, trusted = before.trusted } = change;
  const numbers_country = change.numbers === undefined ? before.numbers_country : countryOf(change.numbers);
  const username = change.username === undefined ? before.username : change.username;
  const fields = { name, host, port, transport, username, codecs, cold_transfers, numbers_country, trusted };
  const owner = { organizationId: before.organization_id, sipTrunkId: before.sip_trunk_id };
  if (username === null) {
    if (change.password !== undefined) throw invalidField('password', 'not_allowed', 'requires a username');
    return { ...fields, password: null, vault_key_id: null };
  }
  if (change.password !== undefined) return { ...fields, ...sealPassword(vault, owner, change.password) };
  if (before.password === null || username !== before.username || !hasSamePeer(before, change)) {
    throw invalidField(
      'password',
      'required',
      'is required, because the stored password belongs to another peer or username',
    );
  }
  return { ...fields, password: before.password, vault_key_id: before.vault_key_id };
}

/** Checks what can be checked without resolving the name: IP addresses, and names of this machine. Other host names are resolved and checked for each call. */
function checkHost({ sip }: Pick<Network, 'sip'>, host: string): void {
  checkAddress(`https://${host}/`, 'http', 'host', sip.policy);
}

/** The organization in which to search for a trunk: the specified one. If an operator specified none, it is the trunk's organization. @throws NotFoundError */
async function findOrganization(db: Database, named: string, sipTrunkId: string): Promise<string> {
  if (!isId('trk', sipTrunkId)) throw notFound('sip_trunk');
  const organizationId = named !== '' ? named : await ownerOfSipTrunk(db, sipTrunkId);
  if (organizationId === undefined) throw notFound('sip_trunk');
  return organizationId;
}

function audit(tx: Queryable, action: string, row: SipTrunkRow, context: OutgoingContext): Promise<void> {
  const { organization_id: organizationId, sip_trunk_id: subject, name, host, port, transport, username } = row;
  const detail = { name, host, port, transport, username };
  return append(tx, [auditEvent({ organizationId, action, subject, detail }, row.updated_at, context)]);
}

const etagOf = (row: SipTrunkRow): string => `"${row.sip_trunk_id}.${row.revision}"`;
const firstEtagOf = (sipTrunkId: string): string => `"${sipTrunkId}.1"`;

function render(row: SipTrunkRow): string {
  const record: SipTrunkRecord = {
    sip_trunk_id: row.sip_trunk_id,
    organization_id: row.organization_id,
    name: row.name,
    host: row.host,
    port: row.port,
    transport: row.transport,
    username: row.username,
    codecs: [...row.codecs],
    cold_transfers: row.cold_transfers,
    numbers: row.numbers_country === null ? 'as_sent' : { country: row.numbers_country },
    trusted: row.trusted,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
  return JSON.stringify(record);
}

/**
 * Prevents the trunk of a number from being deleted until the transaction ends.
 * @throws NotFoundError if the organization has no such trunk; BadRequestError for a number of another provider
 */
export async function keepTrunkOf(
  tx: Queryable,
  organizationId: string,
  provider: string,
  sipTrunkId: string | null,
): Promise<void> {
  if (sipTrunkId === null) return;
  if (provider !== 'sip_trunk')
    throw invalidField('sip_trunk_id', 'not_allowed', 'is allowed only for numbers of the provider sip_trunk');
  if (!isId('trk', sipTrunkId) || !(await keepSipTrunk(tx, organizationId, sipTrunkId))) throw notFound('sip_trunk');
}
