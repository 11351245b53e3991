import { createVault, parseVaultKeys } from '@parley/vault';
import { openedTool, sealedHeaderContext, nameOfTool, type CallTuning } from '@parley/contract';
import type { AgentForCall } from '@parley/proto/agents';
import { createLogger, systemClock, type Clock } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { createHeaderSealer } from '../src/dispatch/workers/header-sealer';
import { addNumber, place } from './test-caller';
import { telephonyUnderTest, type Instance, type UnderTest } from './telephony-under-test';

const vault = createVault(parseVaultKeys(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const log = createLogger({ service: 'test', level: 'silent' });
const webhook = { type: 'webhook', name: 'crm', description: 'x', url: 'https://a.example/', method: 'POST' };
const clear = {
  navigation_ineligible_reason: null,
  recording_enabled: false,
  tools: [
    { ...webhook, parameters: { type: 'object' }, headers: { Authorization: 'Bearer TOOL-SECRET', 'X-Team': 'blue' } },
    // Looks like headers but is the schema of a parameter named headers.
    { ...webhook, name: 'other', parameters: { type: 'object', properties: { headers: { type: 'object' } } } },
    'legacy',
  ],
};

describe('header values of tools that an earlier version stored with calls in plain text', () => {
  let under: UnderTest;
  let telephony: Instance;
  let agent: AgentForCall;

  beforeAll(async () => {
    under = await telephonyUnderTest();
    telephony = await under.start();
    agent = under.fakes.addAgent();
    await addNumber(telephony, agent);
  });
  afterAll(() => under.stop());

  /** Fills the table with calls as the previous version wrote them: many copies of a placed call. */
  async function fill(count: number, status: string): Promise<void> {
    const { call } = await place(telephony, agent);
    await under.db.query({
      text: `insert into calls (call_id, organization_id, project_id, agent_id, direction, from_number, to_number, status,
               resource_seq, policy_verdict, mode, publication_version, publication_sha256, tuning, language,
               recording_enabled, cost_micros_per_minute, variables, metadata, created_at, updated_at)
             select overlay(call_id placing lpad(n::text, 6, '0') from length(call_id) - 5), organization_id, project_id, agent_id,
               direction, from_number, to_number, $3, resource_seq, policy_verdict, mode, publication_version,
               publication_sha256, $4, language, recording_enabled, cost_micros_per_minute, variables, metadata, created_at,
               updated_at
             from calls, generate_series(1, $2::integer) n where call_id = $1`,
      values: [call.call_id, count, status, JSON.stringify(clear)],
    });
    await under.db.query({ text: 'delete from jobs where call_id = $1', values: [call.call_id] });
  }

  const secrets = async (): Promise<number> => {
    const { rows } = await under.db.query<{ count: number }>({
      text: `select count(*)::integer as count from calls where tuning like '%TOOL-SECRET%' or tuning like '%blue%'`,
    });
    return rows[0]?.count ?? 0;
  };
  const tunings = async (status: string): Promise<CallTuning[]> => {
    const { rows } = await under.db.query<{ tuning: string }>({
      text: 'select distinct tuning from calls where status = $1 and tuning like $2',
      values: [status, '%"crm"%'],
    });
    return rows.map(({ tuning }) => JSON.parse(tuning) as CallTuning);
  };
  const cursor = async () => {
    const { rows } = await under.db.query<{ position: string; done: boolean }>({
      text: `select position, done_at is not null as done from background_cursors where name = 'tool-headers'`,
    });
    return rows[0];
  };

  it('are masked in ended calls and encrypted in others, over several pages; a run 25 hours later is marked as done', async () => {
    await fill(1_200, 'completed');
    await fill(3, 'failed');
    await fill(3, 'queued');
    await fill(3, 'needs_review');
    expect(await secrets()).toBe(1_209);
    // Calls of the last minute are left to a later run.
    const clock: Clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + 120_000) };
    const sealer = createHeaderSealer({ db: under.db, vault, clock, log });
    await sealer.start();
    try {
      await eventually(async () => ((await secrets()) === 0 ? true : undefined));
    } finally {
      await sealer.stop();
    }
    for (const status of ['completed', 'failed']) {
      for (const { tools } of await tunings(status)) {
        expect(tools).toEqual([
          { ...(clear.tools[0] as object), headers: { Authorization: '***', 'X-Team': '***' } },
          ...clear.tools.slice(1),
        ]);
      }
    }
    for (const status of ['queued', 'needs_review']) {
      const found = await tunings(status);
      expect(found).toHaveLength(3);
      for (const { tools } of found) {
        const open = tools.map((tool) =>
          openedTool(tool, (header, sealed) => {
            const context = sealedHeaderContext(agent.organizationId, agent.agentId, nameOfTool(tool), header);
            return vault.open(Buffer.from(sealed, 'base64'), context).toString();
          }),
        );
        expect(open).toEqual(clear.tools);
      }
    }
    expect((await cursor())?.done).toBe(false);
    await under.db.query({ text: `update background_cursors set started_at = now() - interval '25 hours'` });
    const last = createHeaderSealer({ db: under.db, vault, clock, log });
    await last.start();
    try {
      await eventually(async () => ((await cursor())?.done === true ? true : undefined));
    } finally {
      await last.stop();
    }
  });
});
