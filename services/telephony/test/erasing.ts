import { routes, type CallRecord, type ErasureRecord, type RetentionRecord } from '@parley/contract';
import { customerCaller } from '@parley/testing';
import type { Database } from '@parley/runtime';
import type { Instance } from './telephony-under-test';

export async function eraseCall(
  instance: Instance,
  organizationId: string,
  callId: string,
  caller = customerCaller(organizationId),
): Promise<CallRecord> {
  return (await instance.request(routes.eraseCall, { caller, params: { call_id: callId } })).body;
}

export async function createErasure(
  instance: Instance,
  organizationId: string,
  phoneNumber: unknown,
  key = '',
): Promise<ErasureRecord> {
  const body = { phone_number: phoneNumber };
  return (await instance.request(routes.createErasure, { caller: customerCaller(organizationId), body, key })).body;
}

export async function getErasure(
  instance: Instance,
  organizationId: string,
  erasureId: string,
): Promise<ErasureRecord> {
  const request = { caller: customerCaller(organizationId), params: { erasure_id: erasureId } };
  return (await instance.request(routes.getErasure, request)).body;
}

export async function setRetention(
  instance: Instance,
  organizationId: string,
  body: object,
  ifMatch = '',
): Promise<RetentionRecord> {
  const request = {
    caller: customerCaller(organizationId),
    params: { organization_id: organizationId },
    body,
    ifMatch,
  };
  return (await instance.request(routes.setRetention, request)).body;
}

export const getRetention = (instance: Instance, organizationId: string) =>
  instance.request(routes.getRetention, {
    caller: customerCaller(organizationId),
    params: { organization_id: organizationId },
  });

/** The tables (without streams) in which a text occurs anywhere, including in bytes. Partitions count as their table. */
export async function tablesWith(db: Database, text: string): Promise<string[]> {
  const { rows: tables } = await db.query<{ name: string }>({
    text: `select c.relname as name from pg_class c where c.relnamespace = current_schema()::regnamespace
             and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  });
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query({
      text: `select 1 from ${name} as t where position($1 in t::text) > 0
               or position(encode(convert_to($1, 'UTF8'), 'hex') in t::text) > 0 limit 1`,
      values: [text],
    });
    if (rows.length > 0) found.push(name);
  }
  return found;
}

/** Makes a record older by this number of days: its times, and every occurrence of its id, because the id begins with its time. Returns the new id. */
export async function aged(db: Database, kind: 'call' | 'message', id: string, days: number): Promise<string> {
  const column = `${kind}_id`;
  const { rows } = await db.query<{ table: string; column: string }>({
    text: `select table_name as "table", column_name as "column" from information_schema.columns
           where table_schema = current_schema() and column_name in ($1, 'resource_id') and table_name <> 'wallet_ledger'
             and table_name in (
             select relname from pg_class where relnamespace = current_schema()::regnamespace
               and relkind in ('r', 'p') and not relispartition)`,
    values: [column],
  });
  const [prefix = ''] = id.split('_');
  const { rows: made } = await db.query<{ id: string }>({
    text: `select overlay(ring_id_at($1, now() - make_interval(days => $2)) placing right($3, 16) from length($1) + 12) as id`,
    values: [prefix, days, id],
  });
  const older = made[0]?.id ?? '';
  await db.transaction(async (tx) => {
    for (const { table, column: name } of rows) {
      await tx.query({ text: `update ${table} set ${name} = $2 where ${name} = $1`, values: [id, older] });
    }
    await tx.query({
      text: `update ${kind}s set created_at = created_at - make_interval(days => $2),
               updated_at = updated_at - make_interval(days => $2) where ${column} = $1`,
      values: [older, days],
    });
  });
  return older;
}
