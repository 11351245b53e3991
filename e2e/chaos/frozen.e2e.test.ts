import pg from 'pg';
import { Customer } from '../customer';
import { Platform } from '../platform';
import { until } from '../until';

/** Short, but long enough for heartbeats that are delayed on a busy machine. */
const leaseSeconds = 5;
const calls = 4;

/** This callee answers and is silent for three minutes. The agent waits two minutes for it to speak. */
const silent = '+15005550007';

/** The effects of SIGSTOP on a platform with short leases. Processes are frozen for a minute in the chaos scenarios, not here. */
describe('with two replicas of every service', () => {
  let platform: Platform;
  let customer: Customer;
  let database: pg.Client;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2, leaseSeconds });
    customer = await Customer.create(platform);
    database = new pg.Client({ connectionString: platform.databaseUrl });
    await database.connect();
    const turnTaking = { turn_taking: { no_caller_speech_seconds: 120 } };
    const saved = await customer.api.patch(`/v1/agents/${customer.agentId}/voice-stack`, turnTaking);
    expect(saved.status).toBe(200);
  });

  afterAll(async () => {
    // A stopped process would not end together with the platform.
    signal('SIGCONT', 'auth');
    signal('SIGCONT', 'telephony');
    await database?.end();
    await customer?.close();
    await platform?.stop();
  });

  const signal = (name: NodeJS.Signals, program: string, replica?: number): void => {
    for (const one of platform.processes)
      if (one.name === program && (replica === undefined || one.replica === replica)) process.kill(one.pid, name);
  };

  /** The number of leases that satisfy a condition. */
  const leases = async (condition: string): Promise<number> => {
    const { rows } = await database.query<{ count: number }>(
      `select count(*)::integer as count from telephony.jobs where state = 'leased' and ${condition}`,
    );
    return rows[0]?.count ?? 0;
  };

  const databaseNow = async (): Promise<Date> =>
    (await database.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]?.now ?? new Date(NaN);

  it('neither a frozen auth nor a frozen replica of telephony ends a call or dials one twice', async () => {
    const placed = await Promise.all(Array.from({ length: calls }, () => customer.call(silent)));
    for (const { call_id } of placed) await customer.receiver.eventOf(call_id, 'call.answered');

    signal('SIGSTOP', 'auth');
    await until(
      'every lease ran out a whole lease ago',
      async () =>
        (await leases('true')) < calls ||
        (await leases(`lease_expires_at < now() - interval '${leaseSeconds} seconds'`)) === calls,
    );
    expect(await leases('true')).toBe(calls);
    signal('SIGCONT', 'auth');
    await until('every lease is renewed', async () => (await leases('lease_expires_at > now()')) === calls);

    const frozenAt = await databaseNow();
    signal('SIGSTOP', 'telephony', 0);
    const renewed = `lease_expires_at > '${frozenAt.toISOString()}'::timestamptz + interval '${4 * leaseSeconds} seconds'`;
    await until(
      'every lease is renewed by the other replica',
      async () => (await leases('true')) < calls || (await leases(renewed)) === calls,
    );
    signal('SIGCONT', 'telephony', 0);
    expect(await leases('true')).toBe(calls);

    for (const { call_id } of placed) {
      expect((await customer.api.post(`/v1/calls/${call_id}/cancel`, {})).status).toBe(200);
      expect(await customer.finished(call_id)).toMatchObject({ status: 'completed', ended_reason: 'canceled' });
      const { received } = await customer.delivered(call_id);
      expect(received.filter(({ type }) => type === 'call.dialing')).toHaveLength(1);
    }
  });
});
