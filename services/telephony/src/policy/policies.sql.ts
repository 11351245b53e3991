import type { Queryable } from '@parley/runtime';

export interface StoredPolicy {
  /** JSON of the class OutboundPolicyUpdate. */
  readonly body: string;
  /** The number of changes, from 1. */
  readonly revision: number;
  readonly updated_at: Date;
}

/** Undefined for an organization without its own rules. */
export async function readPolicy(db: Queryable, organizationId: string): Promise<StoredPolicy | undefined> {
  const { rows } = await db.query<StoredPolicy>({
    name: 'policy-read',
    text: 'select body, revision, updated_at from organization_policies where organization_id = $1',
    values: [organizationId],
  });
  return rows[0];
}

/** Current facts that may forbid dialing a call that was admitted earlier. */
export interface RulesAtDialing {
  /** JSON of the class OutboundPolicyUpdate; null for an organization without its own rules. */
  readonly policy: string | null;
  /** Those of the numbers that are suppressed. */
  readonly suppressed: ReadonlySet<string>;
  /** Whether the caller number still belongs to the organization; this cannot change until the commit. */
  readonly holdsNumber: boolean;
  /** Whether a trunk of the organization has the host. */
  readonly hasTrunk: boolean;
}

/** The organization's own rules, and what it has now of the numbers to call, of the caller number and of a SIP address's host. */
export async function readAtDialing(
  tx: Queryable,
  organizationId: string,
  { to, from, host }: { readonly to: readonly string[]; readonly from: string; readonly host: string },
): Promise<RulesAtDialing> {
  const { rows } = await tx.query<Omit<RulesAtDialing, 'suppressed'> & { readonly suppressed: string[] }>({
    name: 'policy-at-dialing',
    text: `select (select body from organization_policies where organization_id = $1) as policy,
             array(select phone_number from suppressions where organization_id = $1 and phone_number = any($2::text[])) as suppressed,
             exists (select 1 from (select from numbers where organization_id = $1 and phone_number = $3
                                    and released_at is null for share) held) as "holdsNumber",
             exists (select 1 from sip_trunks where organization_id = $1 and lower(host) = $4) as "hasTrunk"`,
    values: [organizationId, to, from, host],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the facts at dialing were not read');
  return { ...row, suppressed: new Set(row.suppressed) };
}

/** Replaces the policy if its revision is still `revision` (0: none yet); undefined if it is not. */
export async function writePolicy(
  tx: Queryable,
  organizationId: string,
  revision: number,
  body: string,
): Promise<StoredPolicy | undefined> {
  const { rows } = await tx.query<StoredPolicy>({
    name: 'policy-write',
    text: `insert into organization_policies as p (organization_id, body) values ($1, $3)
           on conflict (organization_id) do update
             set body = excluded.body, revision = p.revision + 1, updated_at = clock_timestamp()
             where p.revision = $2::integer
           returning body, revision, updated_at`,
    values: [organizationId, revision, body],
  });
  return rows[0];
}
