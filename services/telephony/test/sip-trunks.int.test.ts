import { routes, type SipTrunkRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller, operatorCaller } from '@parley/testing';
import { auditOf } from './audit-of';
import { freshNumber } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const password = 'a-password-of-a-trunk';
const wanted = { name: 'Carrier', host: 'sip.example.com', transport: 'udp', codecs: ['g722', 'pcmu'] };
const withPassword = { ...wanted, username: 'ann', password };

describe('SIP trunks', () => {
  let under: UnderTest;
  let telephony: Instance;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ parleyEnv: 'production', simulatorCarrier: 'on', sipAllowedCidrs: '10.1.0.0/16' });
  });
  afterAll(() => under.stop());

  type Owner = Pick<AgentForCall, 'organizationId' | 'projectId'>;
  const callerOf = ({ organizationId }: Owner) => customerCaller(organizationId);
  const store = async (owner: Owner, body: object = wanted): Promise<SipTrunkRecord> => {
    const request = { caller: callerOf(owner), body: { organization_id: owner.organizationId, ...body } };
    return (await telephony.request(routes.createSipTrunk, request)).body;
  };
  const idOf = ({ sip_trunk_id }: SipTrunkRecord) => ({ params: { sip_trunk_id } });
  const change = (owner: Owner, trunk: SipTrunkRecord, body: object, ifMatch = '') =>
    telephony.request(routes.updateSipTrunk, { caller: callerOf(owner), ...idOf(trunk), body, ifMatch });
  const remove = (owner: Owner, trunk: SipTrunkRecord, ifMatch = '') =>
    telephony.request(routes.deleteSipTrunk, { caller: callerOf(owner), ...idOf(trunk), ifMatch });
  const get = (owner: Owner, trunk: SipTrunkRecord) =>
    telephony.request(routes.getSipTrunk, { caller: callerOf(owner), ...idOf(trunk) });
  const number = (owner: Owner, more: object) =>
    telephony.request(routes.createNumber, {
      caller: callerOf(owner),
      body: {
        organization_id: owner.organizationId,
        project_id: owner.projectId,
        phone_number: freshNumber(),
        provider: 'sip_trunk',
        ...more,
      },
    });
  /** The stored row. */
  const stored = async ({ sip_trunk_id }: SipTrunkRecord) => {
    const text = 'select username, password, vault_key_id, codecs from sip_trunks where sip_trunk_id = $1';
    return (await under.db.query<{ username: string; password: Buffer | null }>({ text, values: [sip_trunk_id] }))
      .rows[0];
  };

  it('are created, read, listed newest first, updated and deleted; each write has an audit event', async () => {
    const owner = under.fakes.addAgent();
    const [first, second] = [await store(owner), await store(owner, { ...wanted, port: 5_070, name: 'Other' })];
    expect(first).toEqual({
      sip_trunk_id: expect.stringMatching(/^trk_/),
      organization_id: owner.organizationId,
      ...wanted,
      port: 5_060,
      username: null,
      cold_transfers: 'bridge',
      numbers: 'as_sent',
      trusted: false,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await get(owner, first)).body).toEqual(first);
    const page = (query: object) =>
      telephony.request(routes.listSipTrunks, { caller: callerOf(owner), query: { ...query } });
    const { data, next_cursor } = (await page({ limit: '1' })).body;
    expect(data).toEqual([second]);
    expect((await page({ limit: '1', cursor: next_cursor })).body.data).toEqual([first]);
    const values = {
      name: 'New',
      codecs: ['pcma'],
      cold_transfers: 'refer',
      numbers: { country: 'US' },
      trusted: true,
    };
    const { body: changed } = await change(owner, first, values);
    expect(changed).toEqual({ ...first, ...values, updated_at: expect.any(String) });
    // What is absent stays.
    expect((await change(owner, first, {})).body).toMatchObject(values);
    expect((await change(owner, first, { numbers: 'as_sent' })).body).toEqual(
      expect.objectContaining({ ...values, numbers: 'as_sent' }),
    );
    const { body: last } = await get(owner, first);
    expect((await remove(owner, first)).body).toEqual(last);
    expect(await refusal(get(owner, first))).toEqual([404, 'NotFoundError']);
    const acts = await auditOf(under.db, owner.organizationId);
    expect(acts.map(({ action, subject }) => [action, subject])).toEqual([
      ['sip_trunk.created', first.sip_trunk_id],
      ['sip_trunk.created', second.sip_trunk_id],
      ...Array<unknown>(3).fill(['sip_trunk.updated', first.sip_trunk_id]),
      ['sip_trunk.deleted', first.sip_trunk_id],
    ]);
  });

  it('encrypt the password in the database, and show it in no response or audit event', async () => {
    const owner = under.fakes.addAgent();
    const trunk = await store(owner, withPassword);
    await change(owner, trunk, { name: 'Other' });
    const row = await stored(trunk);
    expect(row).toMatchObject({ username: 'ann', vault_key_id: expect.any(String) });
    expect(row?.password?.includes(password)).toBe(false);
    const seen = [trunk, (await get(owner, trunk)).body, await auditOf(under.db, owner.organizationId)];
    expect(JSON.stringify(seen)).not.toContain(password);
    expect(Object.keys(trunk)).not.toContain('password');
  });

  it.each<[string, object, number]>([
    ['changing the name succeeds', { name: 'Other' }, 200],
    ['changing the host gets 400', { host: 'other.example.com' }, 400],
    ['changing the port gets 400', { port: 5_070 }, 400],
    ['changing the transport gets 400', { transport: 'tcp' }, 400],
    ['changing the username gets 400', { username: 'bob' }, 400],
    ['changing host and password succeeds', { host: 'other.example.com', password: 'another' }, 200],
    ['removing the username succeeds and removes the password', { username: null }, 200],
    ['removing the username and setting a password gets 400', { username: null, password: 'another' }, 400],
  ])('reuse the stored password only for the same host, port, transport and username: %s', async (_, body, status) => {
    const owner = under.fakes.addAgent();
    const trunk = await store(owner, withPassword);
    const before = await stored(trunk);
    const asked = change(owner, trunk, body);
    if (status === 200) {
      await asked;
      const after = await stored(trunk);
      expect(after?.password?.equals(before?.password ?? Buffer.alloc(0)) ?? null).toBe(
        'username' in body ? null : !('password' in body),
      );
    } else {
      expect(await refusal(asked)).toEqual([400, 'BadRequestError']);
      expect(await stored(trunk)).toEqual(before);
    }
  });

  it.each([
    ['a private address', '10.0.0.1'],
    ['a loopback address', '127.0.0.1'],
    ['a loopback address in short form', '127.1'],
    ['the address of the cloud metadata service', '169.254.169.254'],
    ['localhost', 'localhost'],
    ['a subdomain of localhost', 'a.localhost'],
  ])('are rejected with 400 if the host is %s, and nothing is stored', async (_, host) => {
    const owner = under.fakes.addAgent();
    expect(await refusal(store(owner, { ...wanted, host }))).toEqual([400, 'BadRequestError']);
    const { body } = await telephony.request(routes.listSipTrunks, { caller: callerOf(owner) });
    expect(body.data).toEqual([]);
    const trunk = await store(owner);
    expect(await refusal(change(owner, trunk, { host }))).toEqual([400, 'BadRequestError']);
  });

  it('accept a private address within sipAllowedCidrs', async () => {
    expect((await store(under.fakes.addAgent(), { ...wanted, host: '10.1.2.3' })).host).toBe('10.1.2.3');
  });

  it('answers a repeated Idempotency-Key with the trunk that was stored', async () => {
    const owner = under.fakes.addAgent();
    const request = {
      caller: callerOf(owner),
      body: { organization_id: owner.organizationId, ...wanted },
      key: 'trunk-1',
    };
    const [first, second] = [
      await telephony.request(routes.createSipTrunk, request),
      await telephony.request(routes.createSipTrunk, request),
    ];
    expect(second.body).toEqual(first.body);
    const { body } = await telephony.request(routes.listSipTrunks, { caller: callerOf(owner) });
    expect(body.data).toHaveLength(1);
  });

  it('rejects a stale revision with 409 and changes nothing', async () => {
    const owner = under.fakes.addAgent();
    const trunk = await store(owner);
    const stale = `"${trunk.sip_trunk_id}.1"`;
    await change(owner, trunk, { name: 'Other' }, stale);
    expect(await refusal(change(owner, trunk, { name: 'Third' }, stale))).toEqual([409, 'ConflictError']);
    expect(await refusal(remove(owner, trunk, stale))).toEqual([409, 'ConflictError']);
    expect((await get(owner, trunk)).body.name).toBe('Other');
  });

  it("answers 404 for another organization's trunk", async () => {
    const [owner, stranger] = [under.fakes.addAgent(), under.fakes.addAgent()];
    const trunk = await store(owner);
    const asked = [get(stranger, trunk), change(stranger, trunk, { name: 'Mine' }), remove(stranger, trunk)];
    for (const one of asked) expect(await refusal(one)).toEqual([404, 'NotFoundError']);
    expect((await get(owner, trunk)).body).toEqual(trunk);
    const operator = await telephony.request(routes.getSipTrunk, { caller: operatorCaller, ...idOf(trunk) });
    expect(operator.body).toEqual(trunk);
  });

  describe('assigned to numbers', () => {
    it('are accepted only for numbers with provider sip_trunk and of the same organization', async () => {
      const [owner, stranger] = [under.fakes.addAgent(), under.fakes.addAgent()];
      const [own, foreign] = [await store(owner), await store(stranger)];
      const { body: created } = await number(owner, { sip_trunk_id: own.sip_trunk_id });
      expect(created.sip_trunk_id).toBe(own.sip_trunk_id);
      expect(await refusal(number(owner, { sip_trunk_id: foreign.sip_trunk_id }))).toEqual([404, 'NotFoundError']);
      expect(await refusal(number(owner, { sip_trunk_id: 'trk_none' }))).toEqual([404, 'NotFoundError']);
      const simulated = number(owner, { provider: 'simulator', sip_trunk_id: own.sip_trunk_id });
      expect(await refusal(simulated)).toEqual([400, 'BadRequestError']);
    });

    it('are changed or removed by PATCH, and stay if sip_trunk_id is absent', async () => {
      const owner = under.fakes.addAgent();
      const [one, other] = [await store(owner), await store(owner)];
      const { body: created } = await number(owner, { sip_trunk_id: one.sip_trunk_id });
      const patched = async (body: object) => {
        const params = { number_id: created.number_id };
        return (await telephony.request(routes.updateNumber, { caller: callerOf(owner), params, body })).body
          .sip_trunk_id;
      };
      expect(await patched({ dialer: 'hosted' })).toBe(one.sip_trunk_id);
      expect(await patched({ sip_trunk_id: other.sip_trunk_id })).toBe(other.sip_trunk_id);
      expect(await refusal(patched({ sip_trunk_id: 'trk_none' }))).toEqual([404, 'NotFoundError']);
      expect(await patched({ sip_trunk_id: null })).toBeNull();
    });

    it('cannot be deleted (409) until the number is released', async () => {
      const owner = under.fakes.addAgent();
      const trunk = await store(owner);
      const { body: created } = await number(owner, { sip_trunk_id: trunk.sip_trunk_id });
      expect(await refusal(remove(owner, trunk))).toEqual([409, 'ConflictError']);
      const params = { number_id: created.number_id };
      await telephony.request(routes.releaseNumber, { caller: callerOf(owner), params });
      expect((await remove(owner, trunk)).body).toEqual(trunk);
    });

    it('concurrently with their deletion: exactly one of the two requests succeeds', async () => {
      const owner = under.fakes.addAgent();
      for (let round = 0; round < 10; round += 1) {
        const trunk = await store(owner);
        const [named, removed] = await Promise.allSettled([
          number(owner, { sip_trunk_id: trunk.sip_trunk_id }),
          remove(owner, trunk),
        ]);
        expect([named.status, removed.status].sort()).toEqual(['fulfilled', 'rejected']);
      }
    });
  });
});
