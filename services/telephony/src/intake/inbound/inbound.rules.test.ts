import { refusalForRoom, refusalOf, type InboundFacts, type InboundRefusal } from './inbound.rules';

const fine: InboundFacts = {
  numberIsOurs: true,
  maintenance: false,
  suspended: false,
  agent: { status: 'active', runnable: true },
  unreachable: false,
};

describe('refusal reasons of incoming calls', () => {
  it.each([
    ['live_calls', 'live_call_limit'],
    ['daily_spend', 'spend_cap'],
    ['balance', 'insufficient_balance'],
  ] as const)('if %s is exhausted: %s', (reason, refusal) => {
    expect(refusalForRoom({ reason })).toBe(refusal);
  });

  it.each<[InboundRefusal | undefined, Partial<InboundFacts>]>([
    [undefined, {}],
    ['number_not_in_workspace', { numberIsOurs: false, maintenance: true, agent: undefined }],
    ['platform_maintenance', { maintenance: true, suspended: true }],
    ['suspended', { suspended: true, agent: undefined }],
    ['suspended', { agent: { status: 'suspended', runnable: true } }],
    ['no_inbound_agent', { agent: undefined }],
    ['agent_inactive', { agent: { status: 'inactive', runnable: false } }],
    ['configuration_not_runnable', { agent: { status: 'active', runnable: false }, unreachable: true }],
    ['capacity_unavailable', { unreachable: true }],
  ])('%s if %j', (refusal, change) => {
    expect(refusalOf({ ...fine, ...change })).toBe(refusal);
  });
});
