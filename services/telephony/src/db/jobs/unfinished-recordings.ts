import type { Queryable } from '@parley/runtime';

export interface UnfinishedRecording {
  readonly organizationId: string;
  readonly callId: string;
}

interface Row {
  readonly organization_id: string;
  readonly call_id: string;
}

const found = ({ organization_id: organizationId, call_id: callId }: Row): UnfinishedRecording => ({
  organizationId,
  callId,
});

/** Complete recordings of calls that are completed, the oldest first. */
export async function completeRecordings(db: Queryable, limit: number): Promise<UnfinishedRecording[]> {
  const { rows } = await db.query<Row>({
    name: 'recordings-complete',
    text: `select u.organization_id, u.call_id from recording_uploads u join calls c on c.call_id = u.call_id
           where u.state = 'complete' and c.status = 'completed' order by u.touched_at limit $1`,
    values: [limit],
  });
  return rows.map(found);
}

/**
 * Recordings of calls that are over for which no part will come any more: their worker lost its lease, or nothing came for so many
 * seconds.
 */
export async function abandonedRecordings(
  db: Queryable,
  graceSeconds: number,
  limit: number,
): Promise<UnfinishedRecording[]> {
  const { rows } = await db.query<Row>({
    name: 'recordings-abandoned',
    text: `select u.organization_id, u.call_id from recording_uploads u join calls c on c.call_id = u.call_id
             left join jobs j on j.organization_id = u.organization_id and j.call_id = u.call_id
           where u.state = 'taking' and c.status = 'completed'
             and (j.epoch <> u.epoch
               or greatest(c.completed_at, u.touched_at) < clock_timestamp() - make_interval(secs => $1))
           order by u.touched_at limit $2`,
    values: [graceSeconds, limit],
  });
  return rows.map(found);
}
