import type { ErasureCreate } from '@parley/contract';
import { notFound } from '@parley/errors';
import { append } from '@parley/outbox';
import { isId, newId, type OutgoingContext, type Queryable } from '@parley/runtime';
import { auditEvent, creating, findStoredResponse, type CreatingRequest, type PublicResult } from '@parley/service';
import { findErasure, insertErasure, type Erasure } from './erasures.sql';
import { ownerOfErasure } from './erasures.cross-tenant.sql';
import { loadOrCreateState } from '../../books';
import type { Telephony } from '../../telephony';

/** Requests the erasure of a number: everything that contains it is erased in the background. The audit entry does not contain the number. */
export async function createErasure(
  telephony: Pick<Telephony, 'db' | 'openOrganization' | 'onCommit' | 'erasuresWait'>,
  request: CreatingRequest,
  body: () => ErasureCreate,
  context: OutgoingContext,
): Promise<PublicResult> {
  const { organizationId } = request;
  const earlier = await findStoredResponse(telephony.db, request);
  if (earlier !== undefined) return { body: earlier.body, replayed: true };
  const { phone_number: phoneNumber } = body();
  await loadOrCreateState(telephony, organizationId);
  const work = async (tx: Queryable) => {
    const erasure = await insertErasure(tx, organizationId, newId('era'), phoneNumber);
    const act = { organizationId, action: 'erasure.requested', subject: erasure.erasureId, detail: {} };
    await append(tx, [auditEvent(act, erasure.createdAt, context)]);
    const rendered = renderErasure(erasure);
    return { status: 202, body: rendered, recordId: erasure.erasureId, value: rendered };
  };
  const { value: created, stored } = await creating(telephony.db, request, work, { recalled: true });
  telephony.onCommit(false);
  telephony.erasuresWait();
  return { body: created ?? stored?.body ?? '', replayed: created === undefined };
}

/** JSON of ErasureRecord. @throws NotFoundError for an id that does not exist, belongs to another organization, or is malformed */
export async function getErasure({ db }: Pick<Telephony, 'db'>, named: string, erasureId: string): Promise<string> {
  if (!isId('era', erasureId)) throw notFound('erasure');
  const organizationId = named !== '' ? named : await ownerOfErasure(db, erasureId);
  const erasure = organizationId === undefined ? undefined : await findErasure(db, organizationId, erasureId);
  if (erasure === undefined) throw notFound('erasure');
  return renderErasure(erasure);
}

const renderErasure = (erasure: Erasure): string =>
  JSON.stringify({
    erasure_id: erasure.erasureId,
    organization_id: erasure.organizationId,
    status: erasure.status,
    progress: {
      calls: erasure.calls,
      messages: erasure.messages,
      contacts: erasure.contacts,
      copies_left: erasure.copiesLeft,
    },
    created_at: erasure.createdAt.toISOString(),
    finished_at: erasure.finishedAt?.toISOString() ?? null,
  });
