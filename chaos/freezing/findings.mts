import pg from 'pg';
import { count } from '../telephony.mts';
import { callEvents, missing, query, within, type World } from '../webhooks/world.mts';
import { unreadable, type Accepted } from './writers.mts';

/** The schemas of services that publish audit events. Auth writes its own audit entries in the transaction of the change. */
const auditSchemas = ['telephony', 'agents', 'knowledge', 'webhooks'];

const patienceMs = 120_000;

export interface Findings {
  readonly unreadable: number;
  /** Records whose ids are in no response: their creation was executed twice. */
  readonly unnamed: number;
  readonly notOver: number;
  readonly cut: number;
  readonly dialedTwice: number;
  readonly ends: number;
  readonly gaps: number;
  readonly unpublished: number;
  /** Events of calls that the receiver did not get, and audit events that are missing in the log. */
  readonly lostEvents: number;
  readonly lostActs: number;
}

/**
 * Compares the accepted writes with the API, the database, the event log and the receiver, after all calls are over.
 * @param ever everything that was accepted since the platform was started
 * @param excused calls that may have ended in any way
 */
export async function findingsOf(
  world: World,
  accepted: Accepted,
  ever: Accepted,
  excused: ReadonlySet<string>,
): Promise<Findings> {
  const { organization_id } = world.platform.development;
  const ids = [...accepted.calls];
  const db = new pg.Client({ connectionString: world.platform.file.database_url });
  await db.connect();
  const facts = await count(db, organization_id, ids).finally(() => db.end());
  const [found] = await query<{ calls: number; agents: number; cut: string[] }>(
    world,
    `select (select count(*)::int from telephony.calls where organization_id = $1) as calls,
       (select count(*)::int from agents.agents where organization_id = $1) as agents,
       (select coalesce(array_agg(call_id), '{}') from telephony.calls where call_id = any($2)
          and (ended_reason in ('worker_lost', 'worker_failed') or reason_detail = 'worker_lost')) as cut`,
    [organization_id, ids],
  );
  return {
    unreadable: await unreadable(world.platform, accepted),
    unnamed: (found?.calls ?? NaN) - ever.calls.size + (found?.agents ?? NaN) - ever.agents.size,
    notOver: facts.lost,
    cut: (found?.cut ?? []).filter((id) => !excused.has(id)).length,
    dialedTwice: facts.dialedTwice,
    ends: facts.ends,
    gaps: facts.gaps,
    unpublished: facts.unpublished,
    lostEvents: Math.max(await missing(world, patienceMs), await unlogged(world)),
    lostActs: await lostActs(world),
  };
}

/** Returns how many events of calls in telephony's outbox are still missing in the event log after the timeout. */
async function unlogged(world: World): Promise<number> {
  let left = NaN;
  const text = `select count(*)::int as n from telephony.outbox o where o.stream = 'EVENTS' and o.payload::json->>'type' = any($1)
    and not exists (select from webhooks.events e where e.id = o.id)`;
  await within(patienceMs, async () => {
    left = (await query<{ n: number }>(world, text, [callEvents]))[0]?.n ?? NaN;
    return left === 0;
  });
  return left;
}

/** Returns how many audit events of the services are still missing in the audit log after the timeout. */
export async function lostActs(world: World): Promise<number> {
  const acts = auditSchemas
    .map((schema) => `select id from ${schema}.outbox where stream = 'AUDIT'`)
    .join(' union all ');
  const text = `select count(*)::int as n from (${acts}) act
    where not exists (select from auth.audit_log logged where logged.audit_id = act.id)`;
  let left = NaN;
  await within(patienceMs, async () => {
    left = (await query<{ n: number }>(world, text))[0]?.n ?? NaN;
    return left === 0;
  });
  return left;
}

/** Describes each guarantee that was violated. */
export function brokenBy(name: string, findings: Findings, calls: number, changed: number): string[] {
  const wrong: [boolean, string][] = [
    [findings.unreadable > 0, `${findings.unreadable} accepted writes cannot be read`],
    [findings.unnamed !== 0, `${findings.unnamed} records more than were accepted`],
    [findings.notOver > 0, `${findings.notOver} calls are not over, or not there`],
    [findings.cut > 0, `${findings.cut} calls were cut though their engine lived`],
    [findings.dialedTwice > 0, `${findings.dialedTwice} calls were dialed more than once`],
    [findings.ends !== calls, `${calls} calls have ${findings.ends} terminal events`],
    [findings.gaps > 0, `${findings.gaps} calls have a gap in their events`],
    [findings.unpublished > 0, `${findings.unpublished} events were never published`],
    [findings.lostEvents > 0, `${findings.lostEvents} events did not arrive`],
    [findings.lostActs > 0, `${findings.lostActs} audit acts are not in the log`],
    [changed > 0, `${changed} events were repeated with another body`],
  ];
  return wrong.filter(([holds]) => holds).map(([, what]) => `${name}: ${what}`);
}
