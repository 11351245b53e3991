import fc from 'fast-check';
import { agentTables } from './agent-rules/agent-tables';
import { Examiner } from './agent-rules/examiner';
import { emptyGreeting, preserved, saveTables, toolBudget } from './agent-rules/save-tables';
import { navigationReplaced, tuningTables } from './agent-rules/tuning-tables';
import { sections, type Section } from './agent-rules/sections';
import { Api, type Answer } from './api';
import { Customer } from './customer';
import { Platform } from './platform';
import { until } from './until';

const code = ({ status, body }: Answer): string => `${status} ${String(body.error)}`;

/** The rules of agents over HTTP, with two of every service: each bound from both sides, and no trace of what was refused. */
describe('the rules of agents', () => {
  let platform: Platform;
  let customer: Customer;
  let examiner: Examiner;
  let operator: Api;

  beforeAll(async () => {
    platform = await Platform.start({ replicas: 2 });
    customer = await Customer.create(platform);
    operator = new Api(() => platform.baseUrls, platform.development.operator_key);
    const projects = `/v1/organizations/${customer.organizationId}/projects`;
    examiner = new Examiner(customer, String((await customer.api.post(projects, { name: 'Empty' })).body.project_id));
  });

  afterAll(async () => {
    await customer?.close();
    await platform?.stop();
  });

  it.each(Object.entries({ ...agentTables, ...saveTables, ...tuningTables }))('%s', async (_section, rows) => {
    expect(await examiner.faultsOf(rows)).toEqual([]);
  });

  it.each([
    ['2.4 language_profiles preserved', preserved],
    ['2.5 empty greeting', emptyGreeting],
    ['2.6 navigation replaced whole', navigationReplaced],
    ['8 tool names', toolBudget],
  ])('%s', async (_rule, rows) => {
    expect(await examiner.faultsOf(rows)).toEqual([]);
  });

  it('2.1: what was refused at creation left no agent', async () => {
    const list = await customer.api.get(`/v1/agents?project_id=${examiner.emptyProjectId}`);
    expect(list.body.data).toEqual([]);
  });

  describe('status', () => {
    const suspend = (agentId: string, headers?: Record<string, string>) =>
      operator.post(`/v1/agents/${agentId}/suspend`, undefined, headers);
    const reinstate = (agentId: string) => operator.post(`/v1/agents/${agentId}/reinstate`, undefined);
    const call = (agentId: string) => customer.api.post('/v1/calls', { agent_id: agentId, to: '+15005550006' });
    const update = (agentId: string, body: object) => customer.api.patch(`/v1/agents/${agentId}`, body);

    it('3 inactive: refused on telephony and on nothing else, 3 inactive to active: removes the gate only', async () => {
      const agentId = await examiner.agent({ language: 'en' }, { languages: ['en'], tools: ['look_up'] });
      const before = await examiner.reads(agentId);
      expect((await update(agentId, { status: 'inactive' })).body.status).toBe('inactive');
      expect(code(await call(agentId))).toBe('409 ConflictError');
      const inactive = await examiner.reads(agentId);
      expect(inactive.stack).toEqual(before.stack);
      expect((await customer.api.patch(`/v1/agents/${agentId}/voice-stack`, { first_message: 'Hello' })).status).toBe(
        200,
      );
      const { body } = await update(agentId, { status: 'active' });
      expect(body).toMatchObject({ status: 'active', first_message: 'Hello', tools: ['look_up'] });
      expect((await call(agentId)).status).toBe(201);
    });

    it.each(['active', 'inactive'])(
      '3 operator-suspended: from %s, moved by an operator alone, and brought back to it',
      async (status) => {
        const agentId = await examiner.agent();
        await update(agentId, { status });
        const suspended = await suspend(agentId);
        expect([suspended.status, suspended.body.status]).toEqual([200, 'suspended']);
        for (const next of ['active', 'inactive'])
          expect(code(await update(agentId, { status: next }))).toBe('400 BadRequestError');
        expect(code(await call(agentId))).toBe('423 SuspensionError');
        expect((await update(agentId, { name: 'Still editable' })).body).toMatchObject({ status: 'suspended' });
        const again = await suspend(agentId);
        expect([again.body.status, again.body.name]).toEqual(['suspended', 'Still editable']);
        expect((await reinstate(agentId)).body.status).toBe(status);
        const { headers } = await reinstate(agentId);
        expect(headers['etag']).toBe((await examiner.reads(agentId)).etag);
      },
    );

    it('3: no customer suspends or reinstates; a stale If-Match is a 409; an agent that never was is a 404', async () => {
      const agentId = await examiner.agent();
      for (const act of ['suspend', 'reinstate']) {
        expect(code(await customer.api.post(`/v1/agents/${agentId}/${act}`))).toBe('403 ForbiddenError');
        expect(code(await operator.post(`/v1/agents/agt_01m7zdqk0ve00b39zw9x77dj51/${act}`))).toBe('404 NotFoundError');
      }
      expect(code(await suspend(agentId, { 'if-match': '"9"' }))).toBe('409 ConflictError');
      expect((await examiner.reads(agentId)).agent).toMatchObject({ status: 'active' });
    });

    it('decisions 3: both acts are in the audit log, once', async () => {
      const agentId = await examiner.agent();
      await suspend(agentId);
      await suspend(agentId);
      await reinstate(agentId);
      const acts = await until('both acts in the audit log', async () => {
        const log = `/v1/organizations/${customer.organizationId}/audit-log?limit=100`;
        const { body } = await customer.api.get<{ data: { subject: string; action: string }[] }>(log);
        const found = body.data.filter(({ subject }) => subject === agentId).map(({ action }) => action);
        return found.length >= 2 ? found : undefined;
      });
      expect([...acts].sort()).toEqual(['agent.reinstated', 'agent.suspended']);
    });
  });

  it('9 barge_in_speech_rms: deprecated, so that an answer with it says so in a header', async () => {
    const agentId = await examiner.agent();
    const path = `/v1/agents/${agentId}/voice-stack`;
    expect((await customer.api.get(path)).headers).not.toHaveProperty('deprecation');
    const saved = await customer.api.patch(path, { turn_taking: { barge_in_speech_rms: 900 } });
    expect(saved.headers['deprecation']).toMatch(/^@\d+$/);
    expect((await customer.api.get(path)).headers['deprecation']).toBe(saved.headers['deprecation']);
    expect((await customer.api.get(`/v1/agents/${agentId}`)).headers).not.toHaveProperty('deprecation');
  });

  it('4: saves of different sections at once, through two gateways: each survives whole or is a 409 without a trace', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(sections, { minLength: 3 }), fc.boolean(), async (chosen, conditional) => {
        const agentId = await examiner.agent({ language: 'en' });
        const before = await examiner.reads(agentId);
        const headers: Record<string, string> = conditional ? { 'if-match': String(before.etag) } : {};
        const save = async (section: Section) => {
          const path = `/v1/agents/${agentId}${section.via === 'save' ? '/voice-stack' : ''}`;
          return { section, answer: await customer.api.patch(path, section.send, headers) };
        };
        const outcomes = await Promise.all(chosen.map(save));
        const after = await examiner.reads(agentId);
        for (const { section, answer } of outcomes) {
          if (answer.status !== 200) expect(code(answer)).toBe('409 ConflictError');
          expect(section.read(after)).toEqual(answer.status === 200 ? section.saved : section.read(before));
        }
        const won = outcomes.filter(({ answer }) => answer.status === 200).length;
        expect(after.etag).toBe(`"${1 + won}"`);
        expect(won).toBeGreaterThan(0);
        if (conditional) expect(won).toBe(1);
      }),
      { numRuns: 25, seed: 5 },
    );
  });
});
