import type { Queryable } from '@parley/runtime';

/*
 * Statements that find the organization of a record, for an operator who names none. They are not restricted to an organization, and return nothing but the
 * owner; undefined if there is no such record.
 */

export async function findConnectionOwner(db: Queryable, connectionId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'connection-owner',
    text: 'select organization_id from connections where connection_id = $1',
    values: [connectionId],
  });
  return rows[0]?.organization_id;
}

export async function findTemplateOwner(db: Queryable, templateId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'template-owner',
    text: 'select organization_id from message_templates where template_id = $1',
    values: [templateId],
  });
  return rows[0]?.organization_id;
}
