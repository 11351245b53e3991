import { badRequest, notFound } from '@parley/errors';
import { decodeCursor, encodeCursor, isId, type Database } from '@parley/runtime';
import type { ListFilter } from '../db/filters';
import { findMessage, listMessages } from '../db/messages';
import type { Message } from '../domain/message';
import { renderMessage } from '../domain/render-message';
import { organizationOfMessage } from './owner';
import { pageOf } from './page';

/** @throws NotFoundError for an id that is absent, another organization's, or cannot exist */
export async function getMessage(db: Database, named: string, messageId: string): Promise<Message> {
  if (!isId('msg', messageId)) throw notFound('message');
  const organizationId = await organizationOfMessage(db, named, messageId);
  const message = organizationId === '' ? undefined : await findMessage(db, organizationId, messageId);
  if (message === undefined) throw notFound('message');
  return message;
}

export interface ListMessagesInput extends Omit<ListFilter, 'before'> {
  readonly organizationId: string;
  readonly cursor: string;
}

/** A page, newest first: `{"data": [...], "next_cursor": ...}`. */
export async function listMessagePage(db: Database, input: ListMessagesInput): Promise<string> {
  if (input.organizationId === '') throw badRequest('organization_id is required');
  const before = input.cursor === '' ? '' : (decodeCursor(input.cursor, 1)[0] ?? '');
  const messages = await listMessages(db, input.organizationId, { ...input, before, limit: input.limit + 1 });
  return pageOf(messages, input.limit, renderMessage, ({ messageId }) => encodeCursor([messageId]));
}
