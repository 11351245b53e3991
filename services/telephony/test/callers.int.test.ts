import { allRoutes, routes, type AnyRoute } from '@parley/contract';
import { newId, type Caller } from '@parley/runtime';
import { customerCaller, operatorCaller } from '@parley/testing';
import { as, hostedCaller, simulationCaller } from './test-caller';
import { gatewayCaller, hostedGateway } from './gateway-of';
import { refusal } from './refusal';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

/** The routes of workers and of media gateways, with a body if they accept one. */
const { claimWorkerJobs, heartbeatWorkerJobs, reportWorkerJob, completeWorkerJob } = routes;
const { routeInboundCall, getCallConfiguration, reportGatewayCall, putCallArtifacts } = routes;
const ofWorkers: readonly (readonly [AnyRoute, object?])[] = [
  [claimWorkerJobs, { kinds: ['call'], capacity: 1, worker_id: 'w1' }],
  [heartbeatWorkerJobs, { worker_id: 'w1', leases: [] }],
  [reportWorkerJob, { epoch: 1, seq: 1, events: [{ type: 'answered' }] }],
  [completeWorkerJob, { epoch: 1 }],
];
const ofGateways: readonly (readonly [AnyRoute, object?])[] = [
  [routeInboundCall, { to: '+14155550100', from: '+4930123456', gateway_call_id: 'CA1' }],
  [getCallConfiguration],
  [reportGatewayCall, { seq: 1, events: [] }],
  [putCallArtifacts, {}],
];
const all = [...ofWorkers, ...ofGateways].map(([route, body]) => [route.id, route, body] as const);

describe('authorization of callers', () => {
  let under: UnderTest;
  let telephony: Instance;
  let organizationId: string;
  let foreign: string;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
    ({ organizationId } = under.fakes.addAgent());
    foreign = under.fakes.addAgent().organizationId;
  });
  afterAll(() => under.stop());

  const ask = (route: AnyRoute, body: object | undefined, caller?: Caller, named?: string) => {
    const params = { job_id: newId('job'), call_id: newId('call') };
    return telephony.request(route, { caller, params, body, organizationId: named });
  };
  const outcomeOf = async (asked: Promise<unknown>): Promise<number> => {
    const [settled] = await Promise.allSettled([asked]);
    return settled.status === 'fulfilled' ? 200 : (await refusal(asked))[0];
  };

  const ofTelephony = allRoutes.filter(({ service }) => service === 'telephony');
  const forOrganizations = ofTelephony.filter(({ audience }) => !audience.includes('hosted'));

  it.each(ofTelephony.map((route) => [route.id, route] as const))(
    '%s without a caller gets 401',
    async (_id, route) => {
      expect(await refusal(ask(route, {}))).toEqual([401, 'UnauthorizedError']);
    },
  );

  it.each(forOrganizations.map((route) => [route.id, route] as const))(
    '%s from callers without an organization gets 403',
    async (_id, route) => {
      for (const caller of [hostedCaller, simulationCaller, hostedGateway, customerCaller('')]) {
        expect(await refusal(ask(route, {}, caller))).toEqual([403, 'ForbiddenError']);
      }
    },
  );

  // The gateway signs no callers of kind `service`, so such a caller is never accepted.
  it.each(all)(
    '%s from a service gets 401, and from other kinds of callers outside its audience 403',
    async (_id, route, body) => {
      const callers = [
        customerCaller(organizationId),
        operatorCaller,
        gatewayCaller(organizationId),
        hostedCaller,
        simulationCaller,
        { ...hostedCaller, kind: 'service' as const },
      ];
      for (const caller of callers) {
        const { kind } = caller;
        const served = route.audience.some((one) => one === kind);
        const jobs = kind === 'hosted_simulation' && route === claimWorkerJobs ? { kinds: ['simulation'] } : {};
        const status = await outcomeOf(ask(route, body && { ...body, ...jobs }, caller));
        if (served) expect([200, 404]).toContain(status);
        else expect([kind, status]).toEqual([kind, kind === 'service' ? 401 : 403]);
      }
    },
  );

  it.each(all)('%s with the id of another organization gets 403', async (_id, route, body) => {
    const worker = route.audience.includes('customer');
    const own = worker ? customerCaller(organizationId) : gatewayCaller(organizationId);
    expect(await refusal(ask(route, body, own, foreign))).toEqual([403, 'ForbiddenError']);
    if (!route.audience.includes('hosted')) return;
    const hosted = worker ? hostedCaller : hostedGateway;
    expect(await refusal(ask(route, body, hosted, foreign))).toEqual([403, 'ForbiddenError']);
  });

  describe('the RPCs that add campaign contacts', () => {
    const campaignId = newId('cmp');
    const idempotency = { key: '', route: 'add-campaign-contacts', fingerprint: Buffer.alloc(0) };
    const body = { json: Buffer.from('{"contacts":[]}'), schema: 'CampaignContactsAdd' };
    const rows = { rows: Buffer.from('to'), firstLine: '1', piece: 1, last: true, importId: '' };
    const given = { campaignId, idempotency };

    it.each<[string, (named: string) => Promise<unknown>]>([
      ['401 UnauthorizedError', (named) => contacts(named)],
      ['401 UnauthorizedError', (named) => upload(named)],
      ['403 ForbiddenError', (named) => contacts(named, hostedCaller)],
      ['403 ForbiddenError', (named) => upload(named, hostedCaller)],
      ['403 ForbiddenError', () => contacts('', hostedCaller)],
      ['403 ForbiddenError', () => upload('', simulationCaller)],
      ['403 ForbiddenError', () => contacts(foreign, customerCaller(organizationId))],
      ['403 ForbiddenError', () => upload(foreign, customerCaller(organizationId))],
      ['404 NotFoundError', () => contacts('', customerCaller(organizationId))],
      ['404 NotFoundError', () => upload('', operatorCaller)],
    ])('answer %s to callers without access', async (expected, asked) => {
      expect((await refusal(asked(organizationId))).join(' ')).toBe(expected);
    });

    const contacts = (named: string, caller?: Caller) =>
      telephony.client.addCampaignContacts({ ...given, organizationId: named, body }, contextOf(caller));
    const upload = (named: string, caller?: Caller) =>
      telephony.client.addCampaignRows(
        { ...given, ...rows, delimiter: ',', organizationId: named, uploadSha256: Buffer.alloc(32) },
        contextOf(caller),
      );
    const contextOf = (caller?: Caller) => (caller === undefined ? { requestId: 'test' } : as(caller));
  });
});
