import { routes, type NumberRecord, type SipTrunkRecord } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { customerCaller } from '@parley/testing';
import { freshNumber } from './test-caller';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const missing = [403, 'ForbiddenError'];

describe('a change of where the sound of calls goes needs recordings:read in addition to numbers:write', () => {
  let under: UnderTest;
  let telephony: Instance;
  let owner: AgentForCall;
  let [weak, strong] = [customerCaller(''), customerCaller('')];

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start({ parleyEnv: 'production', simulatorCarrier: 'on' });
  });
  beforeEach(() => {
    owner = under.fakes.addAgent();
    weak = customerCaller(owner.organizationId, ['numbers:read', 'numbers:write']);
    strong = customerCaller(owner.organizationId, ['numbers:write', 'recordings:read']);
  });
  afterAll(() => under.stop());

  const addTrunk = async (): Promise<SipTrunkRecord> => {
    const fields = { name: 'Carrier', host: 'sip.example.com', transport: 'udp', codecs: ['pcmu'] };
    const body = { organization_id: owner.organizationId, ...fields };
    return (await telephony.request(routes.createSipTrunk, { caller: weak, body })).body;
  };
  const add = (more: object, caller = weak, phone_number = freshNumber()) =>
    telephony.request(routes.createNumber, {
      caller,
      body: {
        organization_id: owner.organizationId,
        project_id: owner.projectId,
        phone_number,
        provider: 'sip_trunk',
        ...more,
      },
    });
  const idOf = ({ number_id }: NumberRecord) => ({ params: { number_id } });

  it.each<[string, object, boolean]>([
    ['another host', { host: 'other.example.com' }, true],
    ['a host that may not be called', { host: '127.0.0.1' }, true],
    ['another port', { port: 5_070 }, true],
    ['another transport', { transport: 'tcp' }, true],
    ['another host, with a password', { host: 'other.example.com', username: 'ann', password: 'secret' }, true],
    ['the stored peer', { host: 'sip.example.com', port: 5_060, transport: 'udp' }, false],
    ['another name and user', { name: 'Other', username: 'ann', password: 'secret' }, false],
  ])('of a trunk: %s', async (_, body, isMoved) => {
    const trunk = await addTrunk();
    const params = { sip_trunk_id: trunk.sip_trunk_id };
    const change = (caller: typeof weak, ifMatch = '') =>
      telephony.request(routes.updateSipTrunk, { caller, params, body, ifMatch });
    if (!isMoved) return change(weak);
    expect(await refusal(change(weak, '"stale"'))).toEqual(missing);
    expect((await telephony.request(routes.getSipTrunk, { caller: weak, params })).body).toEqual(trunk);
    expect(await refusal(change(strong, '"stale"'))).not.toEqual(missing);
    return undefined;
  });

  it.each<[string, object, boolean]>([
    ['another trunk', { sip_trunk_id: 'other' }, true],
    ['no trunk any more', { sip_trunk_id: null }, false],
    ["the organization's own workers", { dialer: 'own' }, true],
    ['the stored trunk and dialer', { sip_trunk_id: 'stored', dialer: 'hosted' }, false],
    ['another agent', { inbound_agent_id: null }, false],
  ])('of a number: %s', async (_, change: { sip_trunk_id?: string | null }, isMoved) => {
    const trunks = { stored: (await addTrunk()).sip_trunk_id, other: (await addTrunk()).sip_trunk_id };
    const body = {
      ...change,
      ...('sip_trunk_id' in change && { sip_trunk_id: trunks[change.sip_trunk_id as 'stored'] ?? null }),
    };
    const first = (await add({ sip_trunk_id: trunks.stored })).body;
    const update = (caller: typeof weak) => telephony.request(routes.updateNumber, { caller, ...idOf(first), body });
    if (isMoved) {
      expect(await refusal(update(weak))).toEqual(missing);
      expect((await telephony.request(routes.getNumber, { caller: weak, ...idOf(first) })).body).toEqual(first);
    } else await update(weak);
    expect((await update(strong)).body).toMatchObject(body);

    // Nor by releasing the number and adding it again, which keeps its trunk and dialer or has no trunk.
    const second = (await add({ sip_trunk_id: trunks.stored })).body;
    await telephony.request(routes.releaseNumber, { caller: weak, ...idOf(second) });
    const again = (caller: typeof weak) => add({ sip_trunk_id: trunks.stored, ...body }, caller, second.phone_number);
    if (isMoved) expect(await refusal(again(weak))).toEqual(missing);
    await again(isMoved ? strong : weak);
  });

  it.each(['hosted', 'own'])('a new trunk and a new number with it, %s, need nothing more', async (dialer) => {
    const { sip_trunk_id } = await addTrunk();
    expect((await add({ sip_trunk_id, dialer })).body).toMatchObject({ sip_trunk_id, dialer });
  });
});
