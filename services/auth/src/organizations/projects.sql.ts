import type { Queryable } from '@parley/runtime';
import type { ProjectRecord } from './organization.rules';
import { onlyRow, timeText, type PageBefore } from '../rows.rules';

interface ProjectRow {
  readonly project_id: string;
  readonly organization_id: string;
  readonly name: string;
  readonly created_at: Date;
}

const columns = 'project_id, organization_id, name, created_at';

const recordOf = (row: ProjectRow): ProjectRecord => ({
  projectId: row.project_id,
  organizationId: row.organization_id,
  name: row.name,
  createdAt: timeText(row.created_at),
});

export async function insertProject(
  tx: Queryable,
  organizationId: string,
  projectId: string,
  name: string,
): Promise<ProjectRecord> {
  const result = await tx.query<ProjectRow>({
    name: 'insert-project',
    text: `insert into projects (organization_id, project_id, name) values ($1, $2, $3) returning ${columns}`,
    values: [organizationId, projectId, name],
  });
  return recordOf(onlyRow(result));
}

export async function findProject(
  db: Queryable,
  organizationId: string,
  projectId: string,
): Promise<ProjectRecord | undefined> {
  const { rows } = await db.query<ProjectRow>({
    name: 'find-project',
    text: `select ${columns} from projects where organization_id = $1 and project_id = $2`,
    values: [organizationId, projectId],
  });
  return rows[0] && recordOf(rows[0]);
}

export async function listProjects(db: Queryable, organizationId: string, page: PageBefore): Promise<ProjectRecord[]> {
  const { rows } = await db.query<ProjectRow>({
    name: 'list-projects',
    text: `select ${columns} from projects
           where organization_id = $1 and (created_at, project_id) < ($2::timestamptz, $3)
           order by created_at desc, project_id desc limit $4::integer + 1`,
    values: [organizationId, page.createdBefore, page.idBefore, page.limit],
  });
  return rows.map(recordOf);
}
