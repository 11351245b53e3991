import { baseLanguage, defaultOf, KnowledgeBaseCreate, limits } from '@parley/contract';
import { conflict, forbidden } from '@parley/errors';
import { append } from '@parley/outbox';
import { newId } from '@parley/runtime';
import { auditEvent, creating, findStoredResponse, type AuditActor, type CreatingRequest } from '@parley/service';
import type { Dependencies, RecordAnswer } from '../dependencies';
import { checkSettings } from '../embeddings';
import { etagOf } from '../etag.rules';
import { baseView, countBases, insertBase } from './bases.sql';
import configs from './languages.json';

/** The built-in text search configuration of PostgreSQL for a language. `simple`, for all other languages, does no stemming. */
const configOf = (language: string): string =>
  (configs as Readonly<Record<string, string>>)[baseLanguage(language)] ?? 'simple';

export interface CreateBase {
  /** Empty if an operator named none: the body's organization is used. */
  readonly organizationId: string;
  readonly actor: AuditActor;
  readonly body: () => KnowledgeBaseCreate;
  /** The Idempotency-Key of the request, within an organization. */
  readonly creating: (organizationId: string) => CreatingRequest;
}

/** POST /v1/knowledge-bases. An earlier response for the Idempotency-Key is returned before any other check. */
export async function createBase(
  { db, embedder, onCommit }: Pick<Dependencies, 'db' | 'embedder' | 'onCommit'>,
  request: CreateBase,
): Promise<RecordAnswer> {
  const { organizationId } = request;
  const idempotency = request.creating(organizationId);
  const earlier = await findStoredResponse(db, idempotency);
  if (earlier !== undefined) return { body: earlier.body, etag: etagOf(1), replayed: true };
  const body = request.body();
  const { organization_id, project_id, name, language = defaultOf(KnowledgeBaseCreate, 'language') } = body;
  if ((organization_id ?? organizationId) !== organizationId) throw forbidden();
  const embeddings = body.embeddings
    ? await checkSettings({ db, embedder }, organizationId, body.embeddings)
    : undefined;
  const { value, stored } = await creating(
    db,
    idempotency,
    async (tx) => {
      if ((await countBases(tx, organizationId)) >= limits.knowledgeBases)
        throw conflict(`the organization already has ${limits.knowledgeBases} knowledge bases, the maximum`);
      const knowledge_base_id = newId('kb');
      const row = await insertBase(tx, {
        organization_id: organizationId,
        knowledge_base_id,
        project_id,
        name,
        language,
        config: configOf(language),
        embeddings,
      });
      const detail = { name, ...(embeddings && { embeddings: embeddings.model }) };
      const act = { organizationId, action: 'knowledge_base.created', subject: knowledge_base_id, detail };
      await append(tx, [auditEvent(act, row.created_at, request.actor)]);
      const view = baseView(row);
      return { status: 201, body: view, recordId: knowledge_base_id, value: view };
    },
    { recalled: true },
  );
  if (stored !== undefined) return { body: stored.body, etag: etagOf(1), replayed: true };
  onCommit();
  return { body: value, etag: etagOf(1) };
}
