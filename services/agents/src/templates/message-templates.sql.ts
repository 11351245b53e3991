import type { Queryable } from '@parley/runtime';

export interface TemplateRow {
  readonly organization_id: string;
  readonly template_id: string;
  readonly revision: number;
  /** MessageTemplate as JSON text. */
  readonly view: string;
  readonly created_at: Date;
}

const columns = 'organization_id, template_id, revision, view, created_at';

export async function insertTemplate(
  tx: Queryable,
  row: Pick<TemplateRow, 'organization_id' | 'template_id' | 'view'> & { readonly created_at: string },
): Promise<void> {
  await tx.query({
    name: 'template-insert',
    text: 'insert into message_templates (organization_id, template_id, revision, view, created_at) values ($1, $2, 1, $3, $4)',
    values: [row.organization_id, row.template_id, row.view, row.created_at],
  });
}

export async function findTemplate(
  db: Queryable,
  organizationId: string,
  templateId: string,
): Promise<(TemplateRow & { readonly now: Date }) | undefined> {
  const { rows } = await db.query<TemplateRow & { now: Date }>({
    name: 'template-find',
    text: `select ${columns}, now() as now from message_templates where organization_id = $1 and template_id = $2`,
    values: [organizationId, templateId],
  });
  return rows[0];
}

/** @returns false if another change was faster and nothing was written */
export async function updateTemplate(
  db: Queryable,
  organizationId: string,
  templateId: string,
  { revision, view }: { readonly revision: number; readonly view: string },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'template-update',
    text: `update message_templates set revision = revision + 1, view = $4
           where organization_id = $1 and template_id = $2 and revision = $3`,
    values: [organizationId, templateId, revision, view],
  });
  return rowCount === 1;
}

/** @returns false if another change was faster and nothing was deleted */
export async function deleteTemplate(
  tx: Queryable,
  organizationId: string,
  templateId: string,
  revision: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'template-delete',
    text: 'delete from message_templates where organization_id = $1 and template_id = $2 and revision = $3',
    values: [organizationId, templateId, revision],
  });
  return rowCount === 1;
}

/** Returns templates newest first, one more than the limit if there are more. */
export async function listTemplates(
  db: Queryable,
  organizationId: string,
  page: {
    readonly limit: number;
    readonly after: { readonly createdAt: string; readonly templateId: string } | undefined;
  },
): Promise<TemplateRow[]> {
  const { rows } = await db.query<TemplateRow>({
    name: 'template-list',
    text: `select ${columns} from message_templates
           where organization_id = $1 and (created_at, template_id) < ($2::timestamptz, $3)
           order by created_at desc, template_id desc limit $4::integer + 1`,
    values: [organizationId, page.after?.createdAt ?? 'infinity', page.after?.templateId ?? '', page.limit],
  });
  return rows;
}

/** The database's clock (ISO 8601, milliseconds). */
export async function databaseTime(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ now: Date }>({ name: 'database-time', text: 'select now() as now' });
  return (rows[0]?.now ?? new Date(NaN)).toISOString();
}
