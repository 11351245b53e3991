import type { Queryable } from '@parley/runtime';

/** Workers of one kind with the same declaration. */
interface Declaration {
  readonly capabilities: readonly string[];
  readonly lastSeen: Date;
}

/** Maximum of declarations stored per organization; the oldest are deleted. */
const mostDeclarations = 50;

/**
 * Records that workers with these capabilities were seen.
 * @param organizationId empty for hosted workers
 * @param digest of the capabilities
 */
export async function writeDeclaration(
  db: Queryable,
  organizationId: string,
  kind: string,
  digest: string,
  capabilities: readonly string[],
): Promise<void> {
  await db.query({
    name: 'worker-capabilities-write',
    text: `with kept as (
             insert into worker_capabilities (organization_id, kind, digest, capabilities, last_seen)
             values ($1, $2, $3, $4, now())
             on conflict (organization_id, kind, digest) do update set last_seen = excluded.last_seen
           )
           delete from worker_capabilities where organization_id = $1 and kind = $2 and digest <> $3 and digest in (
             select digest from worker_capabilities where organization_id = $1 and kind = $2 and digest <> $3
             order by last_seen desc offset ${mostDeclarations - 1})`,
    values: [organizationId, kind, digest, capabilities],
  });
}

/** The declarations of an organization's workers, or of the hosted ones, seen in the last `withinSeconds`. @param organizationId empty for hosted workers */
export async function listDeclarations(
  db: Queryable,
  organizationId: string,
  kind: string,
  withinSeconds: number,
): Promise<Declaration[]> {
  const { rows } = await db.query<{ capabilities: string[]; last_seen: Date }>({
    name: 'worker-capabilities-list',
    text: `select capabilities, last_seen from worker_capabilities
           where organization_id = $1 and kind = $2 and last_seen > now() - make_interval(secs => $3)
           order by last_seen desc, digest`,
    values: [organizationId, kind, withinSeconds],
  });
  return rows.map(({ capabilities, last_seen: lastSeen }) => ({ capabilities, lastSeen }));
}
