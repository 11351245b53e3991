import type { Queryable } from '@parley/runtime';

/** The call that this router registered earlier with this gateway_call_id. */
export async function findInboundCall(
  db: Queryable,
  organizationId: string,
  router: string,
  gatewayCallId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'inbound-find',
    text: 'select call_id from inbound_calls where organization_id = $1 and gateway_call_id = $3 and router = $2',
    values: [organizationId, router, gatewayCallId],
  });
  return rows[0]?.call_id;
}

/** The call with a carrier's own id: one routed by the carrier's webhook, otherwise one routed by a gateway that uses the carrier's ids. */
export async function findCallOfCarrier(
  db: Queryable,
  organizationId: string,
  router: string,
  gatewayCallId: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ call_id: string }>({
    name: 'inbound-find-of-carrier',
    text: `select call_id from inbound_calls where organization_id = $1 and gateway_call_id = $3
           order by router <> $2, call_id limit 1`,
    values: [organizationId, router, gatewayCallId],
  });
  return rows[0]?.call_id;
}

/** Claims a gateway_call_id for a call. Returns false if another request claimed it first (waits for that request's commit). */
export async function nameInboundCall(
  tx: Queryable,
  organizationId: string,
  router: string,
  gatewayCallId: string,
  callId: string,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'inbound-name',
    text: `insert into inbound_calls (organization_id, router, gateway_call_id, call_id) values ($1, $2, $3, $4)
           on conflict (organization_id, gateway_call_id, router) do nothing`,
    values: [organizationId, router, gatewayCallId, callId],
  });
  return rowCount > 0;
}

/** The router of an incoming call, and the gateway that took its line afterwards. */
export interface InboundLine {
  readonly router: string;
  readonly takenBy: string | null;
}

export async function findLine(
  db: Queryable,
  organizationId: string,
  callId: string,
): Promise<InboundLine | undefined> {
  const { rows } = await db.query<{ router: string; taken_by: string | null }>({
    name: 'inbound-line',
    text: 'select router, taken_by from inbound_calls where organization_id = $1 and call_id = $2',
    values: [organizationId, callId],
  });
  return rows[0] && { router: rows[0].router, takenBy: rows[0].taken_by };
}

/** Assigns a call's line to a gateway if the call is not over and no gateway has its line. */
export async function takeLine(db: Queryable, organizationId: string, callId: string, gateway: string): Promise<void> {
  await db.query({
    name: 'inbound-take',
    text: `update inbound_calls i set taken_by = $3 from jobs j
           where i.organization_id = $1 and i.call_id = $2 and i.taken_by is null
             and j.organization_id = $1 and j.call_id = $2 and j.state = 'leased'`,
    values: [organizationId, callId, gateway],
  });
}
