import type { EventEnvelope } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller } from '@parley/testing';
import { addNumber, cancelCall } from './test-caller';
import { topUpWallet } from './organization-of';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** The hold of a call of the fake agent: 29 minutes at 60,000 micro-USD. */
export const hold = 1_740_000;
export const funds = 100 * hold;

/** Two replicas in which calls are canceled, and helpers that read the resulting state of the calls. */
export class Cancelling {
  private started: { readonly under: UnderTest; readonly replicas: readonly [Instance, Instance] } | undefined;

  private constructor() {}

  /** Call this once per file: it registers hooks that start the replicas before the first test and stop them after the last. No lease expires. */
  static ofFile(): Cancelling {
    const calls = new Cancelling();
    const options = { workerLeaseSeconds: 300 };
    beforeAll(async () => {
      const under = await telephonyUnderTest();
      calls.started = { under, replicas: [await under.start(options), await under.start(options)] };
    });
    afterAll(() => calls.started?.under.stop());
    return calls;
  }

  get under(): UnderTest {
    return this.running.under;
  }

  /** One of the two replicas. */
  at(n: number): Instance {
    return this.running.replicas[n % 2 === 0 ? 0 : 1];
  }

  private get running() {
    if (this.started === undefined) throw new Error('nothing runs before the first test');
    return this.started;
  }

  /** An agent of a prepaid organization. */
  async prepared(): Promise<AgentForCall & { readonly number: string }> {
    const agent = this.under.fakes.addAgent();
    const { organizationId } = agent;
    this.under.fakes.prepaid.add(organizationId);
    const number = await addNumber(this.at(0), agent);
    await topUpWallet(this.at(0), organizationId, { amount_micros: funds });
    return { ...agent, number };
  }

  cancel(by: Instance, callId: string, organizationId: string, caller = customerCaller(organizationId)) {
    return cancelCall(by, organizationId, callId, caller);
  }

  /** The event types of a resource, after checking that no resource_seq is missing or duplicated. */
  async typesOf(callId: string): Promise<string[]> {
    const { rows } = await this.under.db.query<{ payload: string }>({
      text: `select e.payload from call_events e join outbox o on o.id = e.event_id and o.payload = e.payload
             where e.call_id = $1 order by e.resource_seq`,
      values: [callId],
    });
    const events = rows.map(({ payload }) => JSON.parse(payload) as EventEnvelope);
    expect(events.map(({ resource_seq }) => resource_seq)).toEqual(events.map((_, index) => index + 1));
    return events.map(({ type }) => type);
  }

  async jobOf(callId: string): Promise<{ state: string; asked: boolean } | undefined> {
    const { rows } = await this.under.db.query<{ state: string; asked: boolean }>({
      text: 'select state, cancel_requested_at is not null as asked from jobs where call_id = $1',
      values: [callId],
    });
    return rows[0];
  }

  /** All values that determine the money and the free capacity of an organization. The sum of the ledger always equals the balance. */
  async accounts({ organizationId }: AgentForCall): Promise<Readonly<Record<string, number>>> {
    const { rows } = await this.under.db.query<Record<string, string>>({
      text: `select reserved_micros as reserved, balance_micros as balance, live, queued, spend_micros as spend,
               (select coalesce(sum(amount_micros), 0) from wallet_ledger where organization_id = $1) as ledger,
               (select coalesce(sum(hold_micros), 0) from calls where organization_id = $1) as holds,
               (select count(*) from jobs where organization_id = $1 and state = 'queued') as waiting
             from organization_controls where organization_id = $1`,
      values: [organizationId],
    });
    const numbers = Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]));
    expect([numbers['ledger'], numbers['holds']]).toEqual([numbers['balance'], numbers['reserved']]);
    expect(numbers['queued']).toBe(numbers['waiting']);
    return numbers;
  }
}
