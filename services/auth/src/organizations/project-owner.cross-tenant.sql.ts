import type { Queryable } from '@parley/runtime';

/** Which organization owns a project; undefined when there is no such project. */
export async function findProjectOwner(db: Queryable, projectId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'find-project-owner',
    text: 'select organization_id from projects where project_id = $1',
    values: [projectId],
  });
  return rows[0]?.organization_id;
}
