import type { MessageListQuery } from '@parley/contract';
import { notFound } from '@parley/errors';
import { isId, type Database } from '@parley/runtime';
import { pageDocument, pagePosition } from '@parley/service';
import { findMessage, listMessages } from './messages.sql';
import type { Message } from './message.rules';
import { renderMessage } from './render-message.rules';
import { listFilterOf } from '../list-filter';
import { ownerOfMessage } from '../books';

/** @throws NotFoundError for an id that does not exist, belongs to another organization, or is malformed */
export async function getMessage(db: Database, named: string, messageId: string): Promise<Message> {
  if (!isId('msg', messageId)) throw notFound('message');
  const organizationId = await organizationOfMessage(db, named, messageId);
  const message = organizationId === '' ? undefined : await findMessage(db, organizationId, messageId);
  if (message === undefined) throw notFound('message');
  return message;
}

/** A page, newest first: `{"data": [...], "next_cursor": ...}`. */
export async function listMessagePage(db: Database, organizationId: string, query: MessageListQuery): Promise<string> {
  const { limit, after } = pagePosition(query);
  const messages = await listMessages(
    db,
    organizationId,
    listFilterOf('msg', query, { before: after?.[0] ?? '', limit: limit + 1 }),
  );
  return pageDocument(messages, limit, renderMessage, ({ messageId }) => [messageId]);
}

/**
 * The organization in which to search for a message: the specified one. If an operator specified none, it is the message's organization; '' if there is no such
 * message.
 */
export async function organizationOfMessage(db: Database, organizationId: string, messageId: string): Promise<string> {
  return organizationId !== '' ? organizationId : ((await ownerOfMessage(db, messageId)) ?? '');
}
