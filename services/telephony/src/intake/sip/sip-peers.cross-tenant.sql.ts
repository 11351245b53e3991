import { isId, type Queryable } from '@parley/runtime';
import type { NumberOnTrunk, SipPeer } from './receiver.rules';

/** The peers of all trunks that have a number, over all organizations. */
export async function listSipPeers(db: Queryable): Promise<SipPeer[]> {
  const { rows } = await db.query<{
    organization_id: string;
    sip_trunk_id: string;
    host: string;
    numbers_country: string | null;
    trusted: boolean;
  }>({
    name: 'sip-peers',
    text: `select organization_id, sip_trunk_id, host, numbers_country, trusted from sip_trunks t
           where exists (select 1 from numbers n where n.sip_trunk_id = t.sip_trunk_id and n.organization_id = t.organization_id
                         and n.released_at is null)`,
    values: [],
  });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    sipTrunkId: row.sip_trunk_id,
    host: row.host,
    country: row.numbers_country,
    trusted: row.trusted,
  }));
}

/** Those of the numbers, each on its trunk, that exist. @param dialed the number that was dialed, as each trunk means it */
export async function numbersOnTrunks(
  db: Queryable,
  dialed: readonly { readonly sipTrunkId: string; readonly phoneNumber: string }[],
): Promise<NumberOnTrunk[]> {
  const { rows } = await db.query<{
    organization_id: string;
    sip_trunk_id: string;
    phone_number: string;
    verified: boolean;
    own: boolean;
  }>({
    name: 'sip-number',
    text: `select organization_id, sip_trunk_id, phone_number, verified_at is not null as verified, dialer = 'own' as own
           from numbers where phone_number = any($1::text[]) and released_at is null
             and (phone_number, sip_trunk_id) in (select * from unnest($1::text[], $2::text[]))`,
    values: [dialed.map(({ phoneNumber }) => phoneNumber), dialed.map(({ sipTrunkId }) => sipTrunkId)],
  });
  return rows.map((row) => ({
    organizationId: row.organization_id,
    sipTrunkId: row.sip_trunk_id,
    phoneNumber: row.phone_number,
    verified: row.verified,
    ownDialer: row.own,
  }));
}

/** The call of an Asterisk channel. An outgoing channel has the call's id, so its call is found even before the line is updated. */
export async function callOfChannel(
  db: Queryable,
  channel: string,
): Promise<{ readonly organizationId: string; readonly callId: string } | undefined> {
  const { rows } = await db.query<{ organization_id: string; call_id: string }>({
    name: 'sip-call-of-channel',
    text: `select organization_id, call_id from carrier_lines where provider = 'sip_trunk' and carrier_call_id = $1
           union all
           select organization_id, call_id from carrier_lines where call_id = $1 and provider = 'sip_trunk' and carrier_call_id is null
           limit 1`,
    values: [channel],
  });
  return rows[0] && { organizationId: rows[0].organization_id, callId: rows[0].call_id };
}

/** The call of a transfer's leg, whose channel has the id of the transfer. */
export async function transferOfChannel(
  db: Queryable,
  channel: string,
): Promise<{ readonly organizationId: string; readonly callId: string } | undefined> {
  if (!isId('trf', channel)) return undefined;
  const { rows } = await db.query<{ organization_id: string; call_id: string }>({
    name: 'sip-transfer-of-channel',
    text: "select organization_id, call_id from call_transfers where transfer_id = $1 and provider = 'sip_trunk'",
    values: [channel],
  });
  return rows[0] && { organizationId: rows[0].organization_id, callId: rows[0].call_id };
}

/** Acquires or renews the lease on an application's events for the next few seconds; returns whether this process has it. */
export async function holdController(
  db: Queryable,
  application: string,
  holder: string,
  seconds: number,
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'sip-controller-hold',
    text: `insert into sip_controllers as held (application, holder, held_until)
           values ($1, $2, clock_timestamp() + make_interval(secs => $3))
           on conflict (application) do update set holder = excluded.holder, held_until = excluded.held_until
             where held.holder = excluded.holder or held.held_until < clock_timestamp()
           returning 1`,
    values: [application, holder, seconds],
  });
  return rows.length > 0;
}

export async function leaveController(db: Queryable, application: string, holder: string): Promise<void> {
  await db.query({
    name: 'sip-controller-leave',
    text: 'delete from sip_controllers where application = $1 and holder = $2',
    values: [application, holder],
  });
}
