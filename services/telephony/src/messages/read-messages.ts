import type { MessageListQuery } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Database, type Queryable } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import * as messages from './messages.sql';
import type { Message } from './message.rules';
import { renderMessage } from './render-message.rules';
import { listFilterOf } from '../list-filter';
import { ownerOfMessage } from './message-jobs.cross-tenant.sql';

/** @throws NotFoundError for an id that does not exist, belongs to another organization, or is malformed */
export async function getMessage(db: Database, named: string, messageId: string): Promise<Message> {
  const message = await findMessage(db, named, messageId);
  if (message === undefined) throw notFound('message');
  return message;
}

/** Undefined for an id that does not exist, was erased, belongs to another organization, or is malformed. */
export async function findMessage(db: Queryable, named: string, messageId: string): Promise<Message | undefined> {
  if (!isId('msg', messageId)) return undefined;
  const organizationId = await organizationOfMessage(db, named, messageId);
  return organizationId === '' ? undefined : messages.findMessage(db, organizationId, messageId);
}

/** A page, newest first: `{"data": [...], "next_cursor": ...}`. */
export async function listMessagePage(db: Database, organizationId: string, query: MessageListQuery): Promise<string> {
  const { limit, after } = pagePosition(query);
  const found = await messages.listMessages(
    db,
    organizationId,
    listFilterOf('msg', query, { before: after?.[0] ?? '', limit: limit + 1 }),
  );
  return pageDocument(found, limit, renderMessage, ({ messageId }) => [messageId]);
}

/**
 * The organization in which to search for a message: the specified one. If an operator specified none, it is the message's organization; '' if there is no such
 * message.
 */
export async function organizationOfMessage(db: Queryable, organizationId: string, messageId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfMessage(db, messageId)) ?? '');
}
