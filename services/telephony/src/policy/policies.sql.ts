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
export interface RulesAtDialling {
  /** JSON of the class OutboundPolicyUpdate; null for an organization without its own rules. */
  readonly policy: string | null;
  readonly suppressed: boolean;
  /** Whether the caller number still belongs to the organization; this cannot change until the commit. */
  readonly holdsNumber: boolean;
}

/** The organization's own rules, whether the callee is suppressed, and whether the caller number is still the organization's, as of now. */
export async function readAtDialling(
  tx: Queryable,
  organizationId: string,
  { to, from }: { readonly to: string; readonly from: string },
): Promise<RulesAtDialling> {
  const { rows } = await tx.query<RulesAtDialling>({
    name: 'policy-at-dialling',
    text: `select (select body from organization_policies where organization_id = $1) as policy,
             exists (select 1 from suppressions where organization_id = $1 and phone_number = $2) as suppressed,
             exists (select 1 from (select from numbers where organization_id = $1 and phone_number = $3
                                    and released_at is null for share) held) as "holdsNumber"`,
    values: [organizationId, to, from],
  });
  return rows[0] ?? { policy: null, suppressed: false, holdsNumber: false };
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
