import { routes, type TopUpRecord } from '@parley/contract';
import { newId, type Caller } from '@parley/runtime';
import { customerCaller, operatorCaller } from '@parley/testing';
import { auditOf } from './audit-of';
import { walletOf } from './organization-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const client = { address: '203.0.113.7', userAgent: 'browser' };

describe('top-ups', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
  });
  afterAll(() => under.stop());

  const organization = (): string => {
    const { organizationId } = under.fakes.addAgent();
    under.fakes.prepaid.add(organizationId);
    return organizationId;
  };
  const ask = async (organizationId: string, caller: Caller, amount = 700, key = ''): Promise<TopUpRecord> => {
    const body = { amount_micros: amount, note: 'March' };
    return (await telephony.request(routes.topUpWallet, { caller, organizationId, body, key, client })).body;
  };
  const confirm = async (
    topUpId: string,
    caller: Caller = operatorCaller,
    organizationId = '',
  ): Promise<TopUpRecord> => {
    const request = { caller, organizationId, params: { top_up_id: topUpId }, client };
    return (await telephony.request(routes.confirmTopUp, request)).body;
  };
  const ledgerOf = async (organizationId: string) =>
    (await telephony.request(routes.listLedger, { caller: customerCaller(organizationId) })).body.data;

  it('requested by a customer are pending, outside balance and ledger, until confirmed; repeated confirmations count once', async () => {
    const organizationId = organization();
    const asked = await ask(organizationId, customerCaller(organizationId));
    expect(asked).toEqual({
      top_up_id: expect.stringMatching(/^top_/) as unknown,
      organization_id: organizationId,
      status: 'pending',
      amount: { currency: 'USD', amount_micros: 700 },
      balance: null,
      entry_id: null,
      note: 'March',
      created_at: expect.any(String) as unknown,
      confirmed_at: null,
    });
    expect(await walletOf(telephony, organizationId)).toEqual([0, 0, 0]);
    expect(await ledgerOf(organizationId)).toEqual([]);
    const confirmed = await Promise.all(
      [organizationId, '', '', organizationId].map((named) => confirm(asked.top_up_id, operatorCaller, named)),
    );
    const [first] = confirmed;
    expect(first).toMatchObject({ status: 'confirmed', balance: { amount_micros: 700 }, note: 'March' });
    for (const one of confirmed) expect(one).toEqual(first);
    expect(await walletOf(telephony, organizationId)).toEqual([700, 0, 700]);
    expect(await ledgerOf(organizationId)).toMatchObject([
      { entry_id: first?.entry_id, kind: 'top_up', amount: { amount_micros: 700 }, note: 'March' },
    ]);
    expect(await auditOf(under.db, organizationId)).toMatchObject([
      {
        action: 'wallet.top_up_requested',
        subject: asked.top_up_id,
        actor_key_id: customerCaller('').keyId,
        client_address: client.address,
        user_agent: client.userAgent,
      },
      {
        action: 'wallet.topped_up',
        subject: asked.top_up_id,
        actor_key_id: operatorCaller.keyId,
        detail: { amount_micros: 700, balance_micros: 700, entry_id: first?.entry_id },
      },
    ]);
  });

  it('by an operator are confirmed immediately', async () => {
    const organizationId = organization();
    const done = await ask(organizationId, operatorCaller, 41);
    expect(done).toMatchObject({ status: 'confirmed', balance: { amount_micros: 41 } });
    expect(await walletOf(telephony, organizationId)).toEqual([41, 0, 41]);
    expect((await auditOf(under.db, organizationId)).map(({ action }) => action)).toEqual(['wallet.topped_up']);
  });

  it('do not change the balance while they are pending', async () => {
    const organizationId = organization();
    await ask(organizationId, customerCaller(organizationId), 1_000_000_000);
    const { rows } = await under.db.query<{ balance: string }>({
      text: 'select balance_micros as balance from organization_controls where organization_id = $1',
      values: [organizationId],
    });
    expect(rows).toEqual([{ balance: '0' }]);
  });

  it('a repeated Idempotency-Key returns the first response; another body gets 409', async () => {
    const organizationId = organization();
    const caller = customerCaller(organizationId);
    const asked = await ask(organizationId, caller, 5, 'k');
    await confirm(asked.top_up_id);
    expect(await ask(organizationId, caller, 5, 'k')).toEqual(asked);
    expect(await refusal(ask(organizationId, caller, 6, 'k'))).toEqual([409, 'ConflictError']);
  });

  it.each<[string, (organizationId: string) => Caller, string, string]>([
    ['a customer with every scope', (own) => customerCaller(own), 'own', '403 ForbiddenError'],
    ['an operator with an unknown id', () => operatorCaller, newId('top'), '404 NotFoundError'],
    ['an operator with a malformed id', () => operatorCaller, 'top_1', '404 NotFoundError'],
    ['an operator with the id of a ledger entry', () => operatorCaller, newId('txn'), '404 NotFoundError'],
  ])('confirmation by %s is rejected', async (_who, whose, topUpId, expected) => {
    const organizationId = organization();
    const asked = await ask(organizationId, customerCaller(organizationId));
    const id = topUpId === 'own' ? asked.top_up_id : topUpId;
    expect((await refusal(confirm(id, whose(organizationId)))).join(' ')).toBe(expected);
    expect(await walletOf(telephony, organizationId)).toEqual([0, 0, 0]);
  });

  it('confirmation by an operator with the id of another organization gets 404', async () => {
    const [organizationId, other] = [organization(), organization()];
    const asked = await ask(organizationId, customerCaller(organizationId));
    expect(await refusal(confirm(asked.top_up_id, operatorCaller, other))).toEqual([404, 'NotFoundError']);
  });

  it('confirmation gets 409 if the balance would exceed the largest safe integer; the top-up stays pending', async () => {
    const organizationId = organization();
    const asked = await ask(organizationId, customerCaller(organizationId), 2);
    const balance = (micros: number) =>
      under.db.query({
        text: 'update organization_controls set balance_micros = $2 where organization_id = $1',
        values: [organizationId, micros],
      });
    await balance(Number.MAX_SAFE_INTEGER - 1);
    expect(await refusal(confirm(asked.top_up_id))).toEqual([409, 'ConflictError']);
    expect(await refusal(ask(organizationId, operatorCaller, 2))).toEqual([409, 'ConflictError']);
    await balance(Number.MAX_SAFE_INTEGER - 2);
    expect((await confirm(asked.top_up_id)).status).toBe('confirmed');
  });

  it('are listed newest first, filtered by status, for the own organization only', async () => {
    const [organizationId, stranger] = [organization(), organization()];
    const caller = customerCaller(organizationId);
    const asked = [await ask(organizationId, caller, 1), await ask(organizationId, caller, 2)];
    const counted = await ask(organizationId, operatorCaller, 3);
    await ask(stranger, customerCaller(stranger), 9);
    const list = async (query: Record<string, string | number>) =>
      (await telephony.request(routes.listTopUps, { caller, query })).body;
    expect((await list({})).data).toEqual([counted, asked[1], asked[0]]);
    expect((await list({ status: 'pending' })).data).toEqual([asked[1], asked[0]]);
    const page = await list({ limit: 2 });
    expect((await list({ limit: 2, cursor: page.next_cursor ?? '' })).data).toEqual([asked[0]]);
    expect(await refusal(list({ status: 'lost' }))).toEqual([400, 'BadRequestError']);
  });
});
