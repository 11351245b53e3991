import type { Queryable } from '@parley/runtime';

/** The organization that owns a message template, as for an agent: it returns nothing but the owner. */
export async function findTemplateOwner(db: Queryable, templateId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ organization_id: string }>({
    name: 'template-owner',
    text: 'select organization_id from message_templates where template_id = $1',
    values: [templateId],
  });
  return rows[0]?.organization_id;
}
