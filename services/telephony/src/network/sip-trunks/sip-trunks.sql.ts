import type { ColdTransferMethod, SipCodec, SipTransport } from '@parley/contract';
import type { Queryable } from '@parley/runtime';

export interface SipTrunkRow {
  readonly sip_trunk_id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly transport: SipTransport;
  readonly username: string | null;
  /** Encrypted. */
  readonly password: Buffer | null;
  readonly vault_key_id: string | null;
  readonly codecs: readonly SipCodec[];
  readonly cold_transfers: ColdTransferMethod;
  /** In which numbers of incoming calls are dialed; null: they are as sent. */
  readonly numbers_country: string | null;
  readonly trusted: boolean;
  readonly revision: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = `sip_trunk_id, organization_id, name, host, port, transport, username, password, vault_key_id, codecs, cold_transfers, numbers_country,
  trusted, revision, created_at, updated_at`;

export type SipTrunkFields = Pick<
  SipTrunkRow,
  | ('name' | 'host' | 'port' | 'transport' | 'username' | 'password' | 'vault_key_id' | 'codecs' | 'cold_transfers')
  | ('numbers_country' | 'trusted')
>;

const valuesOf = (trunk: SipTrunkFields): unknown[] => [
  trunk.name,
  trunk.host,
  trunk.port,
  trunk.transport,
  trunk.username,
  trunk.password,
  trunk.vault_key_id,
  trunk.codecs,
  trunk.cold_transfers,
  trunk.numbers_country,
  trunk.trusted,
];

export async function insertSipTrunk(
  tx: Queryable,
  organizationId: string,
  sipTrunkId: string,
  trunk: SipTrunkFields,
): Promise<SipTrunkRow> {
  const { rows } = await tx.query<SipTrunkRow>({
    name: 'sip-trunk-insert',
    text: `insert into sip_trunks (organization_id, sip_trunk_id, name, host, port, transport, username, password,
             vault_key_id, codecs, cold_transfers, numbers_country, trusted)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) returning ${columns}`,
    values: [organizationId, sipTrunkId, ...valuesOf(trunk)],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('a SIP trunk was not stored');
  return row;
}

/** Newest first. `after` is empty for the first page. */
export async function listSipTrunks(
  db: Queryable,
  organizationId: string,
  after: string,
  limit: number,
): Promise<SipTrunkRow[]> {
  const { rows } = await db.query<SipTrunkRow>({
    name: 'sip-trunks-list',
    text: `select ${columns} from sip_trunks
           where organization_id = $1 and ($2::text = '' or sip_trunk_id < $2::text)
           order by sip_trunk_id desc limit $3`,
    values: [organizationId, after, limit],
  });
  return rows;
}

export async function findSipTrunk(
  db: Queryable,
  organizationId: string,
  sipTrunkId: string,
): Promise<SipTrunkRow | undefined> {
  const { rows } = await db.query<SipTrunkRow>({
    name: 'sip-trunk-find',
    text: `select ${columns} from sip_trunks where organization_id = $1 and sip_trunk_id = $2`,
    values: [organizationId, sipTrunkId],
  });
  return rows[0];
}

export async function lockSipTrunk(
  tx: Queryable,
  organizationId: string,
  sipTrunkId: string,
): Promise<SipTrunkRow | undefined> {
  const { rows } = await tx.query<SipTrunkRow>({
    name: 'sip-trunk-lock',
    text: `select ${columns} from sip_trunks where organization_id = $1 and sip_trunk_id = $2 for update`,
    values: [organizationId, sipTrunkId],
  });
  return rows[0];
}

/** Prevents the deletion of a trunk until the commit. False: the organization has no such trunk. */
export async function keepSipTrunk(tx: Queryable, organizationId: string, sipTrunkId: string): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'sip-trunk-keep',
    text: `select 1 from sip_trunks where organization_id = $1 and sip_trunk_id = $2 for key share`,
    values: [organizationId, sipTrunkId],
  });
  return rows.length > 0;
}

/** Updates a trunk. The caller has locked the row. */
export async function writeSipTrunk(
  tx: Queryable,
  organizationId: string,
  sipTrunkId: string,
  trunk: SipTrunkFields,
): Promise<SipTrunkRow | undefined> {
  const { rows } = await tx.query<SipTrunkRow>({
    name: 'sip-trunk-write',
    text: `update sip_trunks set name = $3, host = $4, port = $5, transport = $6, username = $7, password = $8,
             vault_key_id = $9, codecs = $10, cold_transfers = $11, numbers_country = $12, trusted = $13, revision = revision + 1, updated_at = now()
           where organization_id = $1 and sip_trunk_id = $2 returning ${columns}`,
    values: [organizationId, sipTrunkId, ...valuesOf(trunk)],
  });
  return rows[0];
}

/** Deletes a trunk. The caller has locked the row. */
export async function removeSipTrunk(tx: Queryable, organizationId: string, sipTrunkId: string): Promise<void> {
  await tx.query({
    name: 'sip-trunk-delete',
    text: `delete from sip_trunks where organization_id = $1 and sip_trunk_id = $2`,
    values: [organizationId, sipTrunkId],
  });
}

/** Whether a live number uses the trunk. */
export async function isTrunkInUse(tx: Queryable, organizationId: string, sipTrunkId: string): Promise<boolean> {
  const { rows } = await tx.query<{ used: boolean }>({
    name: 'sip-trunk-used',
    text: `select exists (select 1 from numbers where organization_id = $1 and sip_trunk_id = $2
                          and released_at is null) as used`,
    values: [organizationId, sipTrunkId],
  });
  return rows[0]?.used ?? false;
}

/** The trunk of a live number of the organization. */
export async function trunkOfNumber(
  db: Queryable,
  organizationId: string,
  phoneNumber: string,
): Promise<SipTrunkRow | undefined> {
  const { rows } = await db.query<SipTrunkRow>({
    name: 'sip-trunk-of-number',
    text: `select ${columns.replaceAll(/\w+/g, 't.$&')} from numbers n join sip_trunks t on t.sip_trunk_id = n.sip_trunk_id
             and t.organization_id = $1
           where n.organization_id = $1 and n.phone_number = $2 and n.released_at is null`,
    values: [organizationId, phoneNumber],
  });
  return rows[0];
}
