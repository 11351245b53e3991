import {
  templateError,
  type ListQuery,
  type MessageTemplate,
  type MessageTemplateCreate,
  type MessageTemplateUpdate,
} from '@parley/contract';
import { badRequest, conflict, forbidden, notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import {
  auditEvent,
  creating,
  pageDocument,
  pagePosition,
  findStoredResponse,
  requireMatch,
  type AuditActor,
  type CreatingRequest,
} from '@parley/service';
import { isId, newId } from '@parley/runtime';
import {
  databaseTime,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  updateTemplate,
} from './message-templates.sql';
import { findTemplateOwner } from '../record-owners';
import { etagOf } from '../etag.rules';
import { checkLanguage, type AgentAnswer, type Dependencies } from '../agents';

export interface CreateTemplate {
  /** Empty if an operator named none: the body's organization is used. */
  readonly organizationId: string;
  readonly actor: AuditActor;
  readonly body: () => MessageTemplateCreate;
  /** The Idempotency-Key of the request, within an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

/** POST /v1/message-templates. An earlier response for the Idempotency-Key is returned before any other check. */
export async function createMessageTemplate(
  { db, onCommit }: Dependencies,
  request: CreateTemplate,
): Promise<AgentAnswer> {
  const { organizationId } = request;
  const idempotency = request.creating(organizationId);
  const earlier = await findStoredResponse(db, idempotency);
  if (earlier !== undefined) return { body: earlier.body, etag: etagOf(1), replayed: true };
  const body = request.body();
  if ((body.organization_id ?? organizationId) !== organizationId) throw forbidden();
  const { name, texts, slots = [], variables = [] } = body;
  const { value, stored } = await creating(
    db,
    idempotency,
    async (tx) => {
      const now = await databaseTime(tx);
      const template_id = newId('tpl');
      const view = rendered({
        template_id,
        organization_id: organizationId,
        name,
        texts,
        slots,
        variables,
        created_at: now,
        updated_at: now,
      });
      await insertTemplate(tx, { organization_id: organizationId, template_id, view, created_at: now });
      const act = { organizationId, action: 'message_template.created', subject: template_id, detail: {} };
      await append(tx, [auditEvent(act, new Date(now), request.actor)]);
      return { status: 201, body: view, recordId: template_id, value: view };
    },
    { recalled: true },
  );
  if (stored !== undefined) return { body: stored.body, etag: etagOf(1), replayed: true };
  onCommit();
  return { body: value, etag: etagOf(1) };
}

/** GET /v1/message-templates/{template_id}. @throws NotFoundError if it does not exist or belongs to another organization */
export async function getMessageTemplate(
  { db }: Dependencies,
  organizationId: string,
  templateId: string,
): Promise<AgentAnswer> {
  const row = await findTemplate(db, await resolveTemplateOwner(db, organizationId, templateId), templateId);
  if (row === undefined) throw notFound('message template');
  return { body: row.view, etag: etagOf(row.revision) };
}

export interface UpdateTemplate {
  readonly organizationId: string;
  readonly templateId: string;
  readonly ifMatch: string;
  readonly actor: AuditActor;
  readonly body: () => MessageTemplateUpdate;
}

const REMERGES = 3;

/** PATCH /v1/message-templates/{template_id}. A change that conflicts with another one is merged into the newer version up to three times, then 409. */
export async function updateMessageTemplate(
  { db, onCommit }: Dependencies,
  request: UpdateTemplate,
): Promise<AgentAnswer> {
  const { templateId } = request;
  const organizationId = await resolveTemplateOwner(db, request.organizationId, templateId);
  for (let lost = 0; ; lost += 1) {
    const row = await findTemplate(db, organizationId, templateId);
    if (row === undefined) throw notFound('message template');
    const { organization_id = organizationId, name, texts, slots, variables } = request.body();
    if (organization_id !== organizationId) throw forbidden();
    requireMatch(request.ifMatch, etagOf(row.revision));
    const stored = JSON.parse(row.view) as MessageTemplate;
    const view = rendered({
      ...stored,
      name: name ?? stored.name,
      texts: texts ?? stored.texts,
      slots: slots ?? stored.slots,
      variables: variables ?? stored.variables,
      updated_at: row.now.toISOString(),
    });
    const { revision } = row;
    const won = await db.transaction(async (tx) => {
      const updated = await updateTemplate(tx, organizationId, templateId, { revision, view });
      const act = { organizationId, action: 'message_template.updated', subject: templateId, detail: {} };
      if (updated) await append(tx, [auditEvent(act, row.now, request.actor)]);
      return updated;
    });
    if (won) {
      onCommit();
      return { body: view, etag: etagOf(revision + 1) };
    }
    if (request.ifMatch !== '' || lost === REMERGES)
      throw conflict('the template was changed by another request: read it again');
  }
}

/** DELETE /v1/message-templates/{template_id}: returns the deleted template. Messages created from it stay. */
export async function deleteMessageTemplate(
  { db, onCommit }: Dependencies,
  request: Omit<UpdateTemplate, 'body'>,
): Promise<AgentAnswer> {
  const { templateId } = request;
  const organizationId = await resolveTemplateOwner(db, request.organizationId, templateId);
  for (let lost = 0; lost <= REMERGES; lost += 1) {
    const row = await findTemplate(db, organizationId, templateId);
    if (row === undefined) throw notFound('message template');
    requireMatch(request.ifMatch, etagOf(row.revision));
    const deleted = await db.transaction(async (tx) => {
      const done = await deleteTemplate(tx, organizationId, templateId, row.revision);
      const act = { organizationId, action: 'message_template.deleted', subject: templateId, detail: {} };
      if (done) await append(tx, [auditEvent(act, row.now, request.actor)]);
      return done;
    });
    if (!deleted) continue;
    onCommit();
    return { body: row.view, etag: etagOf(row.revision) };
  }
  throw conflict('the template was changed by another request: read it again');
}

/** GET /v1/message-templates: the response as JSON text, newest first. */
export async function listMessageTemplates(
  { db }: Dependencies,
  organizationId: string,
  query: ListQuery,
): Promise<string> {
  const { limit, after } = pagePosition(query, ['time', 'text']);
  const [createdAt = '', templateId = ''] = after ?? [];
  const rows = await listTemplates(db, organizationId, {
    limit,
    after: after === undefined ? undefined : { createdAt, templateId },
  });
  return pageDocument(
    rows,
    limit,
    ({ view }) => view,
    (row) => [row.created_at.toISOString(), row.template_id],
  );
}

/** The view of a template. @throws 400 naming the field if texts, slots and variables are inconsistent */
function rendered(template: MessageTemplate): string {
  for (const language of Object.keys(template.texts)) checkLanguage(`texts.${language}`, language);
  const violation = templateError(template);
  if (violation !== undefined) throw badRequest(violation);
  return JSON.stringify(template);
}

/** Returns the organization in which to look a template up: that of the request, or the template's owner for an operator who names none. */
async function resolveTemplateOwner(
  db: Dependencies['db'],
  organizationId: string,
  templateId: string,
): Promise<string> {
  if (!isId('tpl', templateId)) throw notFound('message template');
  const owner = organizationId === '' ? await findTemplateOwner(db, templateId) : organizationId;
  if (owner === undefined) throw notFound('message template');
  return owner;
}
