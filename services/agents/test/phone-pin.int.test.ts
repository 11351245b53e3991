import { AppError } from '@parley/errors';
import { AgentsPlatform, type Customer } from './agents-platform';
import { workflowsOf } from './workflow-requests';

describe('the phone PIN of a workflow', () => {
  let platform: AgentsPlatform;
  let customer: Customer;
  let flows: ReturnType<typeof workflowsOf>;
  /** Ids of agents for which telephony was asked to end the calls of the draft. */
  const ended: string[] = [];
  let telephonyAway = false;

  beforeAll(async () => {
    platform = await AgentsPlatform.start(undefined, {
      calls: {
        of: () => Promise.resolve(false),
        endOfDraft(_organizationId, agentId) {
          if (telephonyAway) return Promise.reject(new AppError('internal_error', 'away', { status: 503 }));
          ended.push(agentId);
          return Promise.resolve();
        },
      },
    });
    customer = platform.customer();
    flows = workflowsOf(customer);
  });

  afterAll(() => platform?.stop());

  const refused = (pending: Promise<unknown>, status: number, code: string) =>
    expect(pending).rejects.toMatchObject({ status, code });

  it('POST /v1/agents/{agent_id}/workflow/phone-pin: returns six digits once and stores a digest', async () => {
    const agentId = await customer.agent();
    await flows.begin(agentId);
    const armed = await flows.arm(agentId, { expires_in_seconds: 60 });
    expect(armed).toMatchObject({ agent_id: agentId, state: 'armed' });
    expect(armed.pin).toMatch(/^\d{6}$/);
    expect(Date.parse(String(armed.expires_at)) - Date.parse(String(armed.armed_at))).toBe(60_000);
    const [row] = await platform.rows('select * from agent_workflows where agent_id = $1', [agentId]);
    expect(JSON.stringify(row)).not.toContain(String(armed.pin));
    expect((row?.pin_digest as Buffer).length).toBe(32);
    const again = await flows.arm(agentId);
    expect(Date.parse(String(again.expires_at)) - Date.parse(String(again.armed_at))).toBe(900_000);
    for (const expires_in_seconds of [59, 3601, 60.5, '60', null])
      await refused(flows.arm(agentId, { expires_in_seconds }), 400, 'BadRequestError');
  });

  it('POST /v1/agents/{agent_id}/workflow/phone-pin/disarm: ends the PIN and deletes its digest; can be repeated', async () => {
    const agentId = await customer.agent();
    expect(await flows.disarm(agentId)).toEqual({ agent_id: agentId, state: 'none', armed_at: null, expires_at: null });
    await flows.begin(agentId);
    await flows.arm(agentId);
    const disarmed = await flows.disarm(agentId);
    expect(disarmed).toMatchObject({ state: 'disarmed' });
    expect(disarmed).not.toHaveProperty('pin');
    expect(await flows.disarm(agentId)).toEqual(disarmed);
    const [row] = await platform.rows('select pin_digest from agent_workflows where agent_id = $1', [agentId]);
    expect(row?.pin_digest).toBeNull();
    expect((await flows.arm(agentId)).state).toBe('armed');
    await flows.publish(agentId);
    expect((await flows.disarm(agentId)).state).toBe('disarmed');
  });

  it.each<[string, number]>([
    ['disarmed', 3600],
    ['expired', 0],
  ])(
    'POST /v1/agents/{agent_id}/workflow/phone-pin/disarm: returns %s for a PIN that expires in %i seconds',
    async (state, seconds) => {
      const agentId = await customer.agent();
      await flows.begin(agentId);
      await flows.arm(agentId);
      await platform.rows(
        `update agent_workflows set pin_armed_at = now() - interval '1 hour', pin_expires_at = now() + make_interval(secs => $2)
       where agent_id = $1`,
        [agentId, seconds],
      );
      const ended = await flows.disarm(agentId);
      expect(ended.state).toBe(state);
      expect(await flows.disarm(agentId)).toEqual(ended);
      const [row] = await platform.rows('select pin_digest from agent_workflows where agent_id = $1', [agentId]);
      expect(row?.pin_digest).toBeNull();
      expect((await flows.arm(agentId)).state).toBe('armed');
    },
  );

  it('disarming or arming again ends calls of the draft; if telephony is unavailable it returns 503, but the PIN has ended', async () => {
    const agentId = await customer.agent();
    await flows.begin(agentId);
    const { pin } = await flows.arm(agentId);
    ended.splice(0);
    telephonyAway = true;
    try {
      await refused(flows.disarm(agentId), 503, 'internal_error');
    } finally {
      telephonyAway = false;
    }
    expect(await customer.draftBy(agentId, String(pin))).toBeUndefined();
    await flows.disarm(agentId);
    await flows.arm(agentId);
    expect(ended).toEqual([agentId, agentId]);
  });

  it('isDraftArmed is true while a PIN is armed', async () => {
    const agentId = await customer.agent();
    expect(await customer.isDraftArmed(agentId)).toBe(false);
    await flows.begin(agentId);
    expect(await customer.isDraftArmed(agentId)).toBe(false);
    await flows.arm(agentId);
    expect(await customer.isDraftArmed(agentId)).toBe(true);
    await flows.disarm(agentId);
    expect(await customer.isDraftArmed(agentId)).toBe(false);
  });

  describe('findDraftByPin', () => {
    const openedBy = (agentId: string, pin: string, by = customer) => by.draftBy(agentId, pin);
    const armed = async () => {
      const agentId = await customer.agent();
      await flows.begin(agentId);
      return { agentId, pin: String((await flows.arm(agentId)).pin) };
    };
    const other = (pin: string): string => String((Number(pin) + 1) % 1_000_000).padStart(6, '0');

    it('returns the draft workflow for the right PIN only', async () => {
      const { agentId, pin } = await armed();
      expect(await openedBy(agentId, pin)).toMatchObject({ version: 0, definition: { nodes: expect.any(Array) } });
      expect(await openedBy(agentId, other(pin))).toBeUndefined();
    });

    it.each<[string, (agentId: string) => Promise<unknown>]>([
      ['disarmed', (agentId) => flows.disarm(agentId)],
      ['armed again', (agentId) => flows.arm(agentId)],
      ['published', (agentId) => flows.publish(agentId)],
      [
        'expired',
        (agentId) => platform.rows('update agent_workflows set pin_expires_at = now() where agent_id = $1', [agentId]),
      ],
    ])('returns nothing after the PIN was %s', async (_, act) => {
      const { agentId, pin } = await armed();
      await act(agentId);
      expect(await openedBy(agentId, pin)).toBeUndefined();
    });

    it('returns nothing if no PIN was armed, and 404 for an agent of another organization', async () => {
      const { agentId, pin } = await armed();
      const bare = await customer.agent();
      expect(await openedBy(bare, pin)).toBeUndefined();
      await refused(openedBy(agentId, pin, platform.customer()), 404, 'NotFoundError');
    });
  });
});
