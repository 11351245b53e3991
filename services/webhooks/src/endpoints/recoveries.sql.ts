import { leastIdAt, type Queryable } from '@parley/runtime';

export interface NewRecovery {
  readonly id: string;
  readonly endpointId: string;
  /** ISO 8601. */
  readonly since: string;
  /** The series of the recovered deliveries. */
  readonly generation: number;
  /** Whether failed deliveries are included. Parked ones always are. */
  readonly withFailed: boolean;
}

export interface RecoveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly since: Date;
  readonly status: string;
  readonly examined: string;
  readonly recovered: string;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const columns = 'id, endpoint_id, since, status, examined, recovered, created_at, finished_at';

/** The maximum clock difference between replicas: the scan of ids starts this much earlier and compares the database's timestamps. */
const skewMs = 60_000;

/** Inserts a recovery, which runs in the background. It covers the deliveries that exist now, from a given time on. */
export async function insertRecovery(
  tx: Queryable,
  organizationId: string,
  recovery: NewRecovery,
): Promise<RecoveryRow> {
  const { rows } = await tx.query<RecoveryRow>({
    name: 'recovery-insert',
    text: `insert into recoveries (organization_id, id, endpoint_id, since, generation, with_failed, position, last_position)
      values ($1, $2, $3, $4, $5, $6, $7,
        coalesce((select max(id) from deliveries where organization_id = $1 and endpoint_id = $3), ''))
      returning ${columns}`,
    values: [
      organizationId,
      recovery.id,
      recovery.endpointId,
      recovery.since,
      recovery.generation,
      recovery.withFailed,
      leastIdAt('dlv', new Date(Date.parse(recovery.since) - skewMs)),
    ],
  });
  const [row] = rows;
  if (row === undefined) throw new Error('the INSERT returned no row');
  return row;
}

/** Newest first. */
export async function listRecoveries(
  db: Queryable,
  organizationId: string,
  endpointId: string,
  page: { readonly after: string; readonly limit: number },
): Promise<RecoveryRow[]> {
  const { rows } = await db.query<RecoveryRow>({
    name: 'recoveries-list',
    text: `select ${columns} from recoveries
      where organization_id = $1 and endpoint_id = $2 and ($3 = '' or id < $3) order by id desc limit $4`,
    values: [organizationId, endpointId, page.after, page.limit],
  });
  return rows;
}
