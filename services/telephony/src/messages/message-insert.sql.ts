import type { CreatingRequest } from '@parley/service';
import type { Queryable } from '@parley/runtime';
import type { Message } from './message.rules';
import type { MessageEvent } from './render-message.rules';
import { messageColumns } from './message-rows.sql';

/** A message as created, with what happens to it next. */
export interface NewMessage {
  readonly message: Message;
  /** Whether it is an outbound message that has to be sent. */
  readonly goesOut: boolean;
  /** Whether it is sent although its recipient is suppressed. */
  readonly despiteSuppression?: boolean;
  readonly events: readonly MessageEvent[];
  readonly traceparent: string | undefined;
  /** The response to store for the idempotency key; undefined if the request had none. */
  readonly stored: { readonly request: CreatingRequest; readonly body: string } | undefined;
}

const text = `
  with claimed as (
    insert into idempotency (organization_id, route, key, fingerprint, status, body, record_id)
    select $1::text, given.route, given.key, given.fingerprint, 201, given.body, given.record_id
    from unnest($2::text[], $3::text[], $4::bytea[], $5::text[], $6::text[])
      as given (route, key, fingerprint, body, record_id)
    order by given.route, given.key
    on conflict (organization_id, route, key) do nothing returning 1
  ), item as materialized (
    select given.* from unnest(${messageColumns.map(([, type], index) => `$${index + 11}::${type}[]`).join(', ')})
      as given (${messageColumns.map(([name]) => name).join(', ')})
  ), message as (
    insert into messages (organization_id, hold_reserved, ${messageColumns.map(([name]) => name).join(', ')})
    select $1::text, item.hold_micros is not null and exists (
        select from organization_controls c where c.organization_id = $1 and c.billing = 'prepaid'), ${messageColumns
          .map(([name]) => (name === 'policy_rules' ? "string_to_array(item.policy_rules, ',')" : `item.${name}`))
          .join(', ')} from item
  ), job as (
    insert into message_jobs (message_id, organization_id, agent_id, due_at, despite_suppression)
    select item.message_id, $1::text, item.agent_id, item.created_at, item.message_id = any($10::text[]) from item where item.message_id = any($7::text[])
  )
  select case when (select count(*) from claimed) <> $8::integer then refuse_admission($9::text) end`;

/**
 * Writes messages of one organization atomically: rows, jobs, idempotency keys, and the reservation in the contended row, which the caller has locked. The
 * caller appends the events.
 * @throws a refusal `key_taken` if another request used a key in the meantime
 */
export async function insertMessages(
  tx: Queryable,
  organizationId: string,
  made: readonly NewMessage[],
): Promise<void> {
  const keyed = made.flatMap(({ message, stored }) =>
    stored === undefined || stored.request.key === '' ? [] : [{ message, ...stored }],
  );
  await tx.query({
    name: 'messages-insert',
    text,
    values: [
      organizationId,
      keyed.map(({ request }) => request.route),
      keyed.map(({ request }) => request.key),
      keyed.map(({ request }) => request.fingerprint),
      keyed.map(({ body }) => body),
      keyed.map(({ message }) => message.messageId),
      made.flatMap(({ message, goesOut }) => (goesOut ? [message.messageId] : [])),
      keyed.length,
      'key_taken',
      made.flatMap(({ message, despiteSuppression }) => (despiteSuppression === true ? [message.messageId] : [])),
      ...messageColumns.map(([, , value]) => made.map(({ message }) => value(message))),
    ],
  });
}
