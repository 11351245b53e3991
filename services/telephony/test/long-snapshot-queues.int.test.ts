import type { DueFloor, Queryable } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { scheduledFloor, takeDue } from '../src/intake/admission/due-calls.cross-tenant.sql';
import { listOpenAttempts } from '../src/campaigns/attempts.sql';
import { floorsOf } from '../src/campaigns/campaign-floors.sql';
import { insertCampaign, lockCampaign, writeCampaign } from '../src/campaigns/campaigns.sql';
import { claimContacts, nextContactDue } from '../src/campaigns/contacts.sql';
import { anyCampaignDue, campaignFloor, lockDueCampaign } from '../src/campaigns/due-campaigns.cross-tenant.sql';
import { lineFloor, takeDueLine } from '../src/lines/lines/due-lines.cross-tenant.sql';
import { freeSlots } from '../src/lines/lines/line-slots.cross-tenant.sql';
import { replyFloor, takeReply } from '../src/messages/due-replies.cross-tenant.sql';
import {
  dueMessages,
  permitMessages,
  permittedFloor,
  queuedFloor,
} from '../src/messages/message-jobs.cross-tenant.sql';
import { adoptionFloor } from '../src/books/queue/adoption-floor.sql';
import { anyUnadopted, lockUnadopted } from '../src/books/queue/adoption.cross-tenant.sql';
import { leaseTranslations, translationFloor } from '../src/after/translations/translation-jobs.cross-tenant.sql';
import { campaignAs } from './campaign-as';
import { buffersOf, leastBuffersOf, withSnapshot } from './old-snapshot';
import { telephonyUnderTest, type UnderTest } from './telephony-under-test';

/** How many items are completed while the snapshot is held. */
const completed = 20_000;

interface Poll {
  readonly floor: DueFloor;
  readonly poll: (tx: Queryable) => Promise<unknown>;
  /** A statement that inserts `$1` items, whose ids begin with `$2`. The first one was due `$3` seconds ago. */
  readonly insert: string;
  /** A statement that completes them. */
  readonly complete: string;
  /** How many buffers a poll without items may read; default 60. */
  readonly most?: number;
}

const id = `$2::text || lpad(n::text, 8, '0')`;
const due = `now() - make_interval(secs => $3) + n * interval '0.18 seconds'`;
const items = 'from generate_series(1, $1::integer) n';

const jobs = (
  needs: string,
): string => `insert into jobs (organization_id, job_id, call_id, agent_id, kind, available_at, dialer, state, adopt_token_hash, adopt_before)
  select 'org_1', ${id}, ${id}, 'agt_1', 'call', now(), '${needs}', 'adoptable', sha256((${id})::bytea), ${due} ${items}`;
const scope = { skipped: [], heldAgents: [], leaseSeconds: 60 };
const permits = { limit: 5, leaseSeconds: 60, heldOrganizations: [], heldAgents: [] };
const messages = (state: string): string =>
  `insert into message_jobs (message_id, organization_id, agent_id, state, due_at)
   select ${id}, 'org_' || n % 3, 'agt_1', '${state}', ${due} ${items}`;

const polls: Readonly<Record<string, Poll>> = {
  'due campaigns': {
    floor: campaignFloor,
    poll: async (tx) => (await anyCampaignDue(tx)) && (await lockDueCampaign(tx)),
    insert: `insert into campaigns (campaign_id, organization_id, project_id, agent_id, name, from_number, settings, status, next_run_at, created_at, updated_at)
             select ${id}, 'org_1', 'prj_1', 'agt_1', 'Spring', '+14155550100', '{}', 'running', ${due}, now(), now() ${items}`,
    complete: 'update campaigns set next_run_at = null',
  },
  'due lines': {
    floor: lineFloor,
    poll: takeDueLine,
    insert: `insert into carrier_lines (call_id, organization_id, job_id, provider, account_sid, state, reserved, ring_until, check_at)
             select ${id}, 'org_1', ${id}, 'twilio', 'AC1', 'ringing', false, now(), ${due} ${items}`,
    complete: `update carrier_lines set state = 'closed'`,
  },
  'queued messages': {
    floor: queuedFloor,
    poll: async (tx) => {
      await permitMessages(tx, permits);
      const { rowCount } = await tx.query({ text: `select from message_jobs where attempts > 0 and due_at > now()` });
      return rowCount > 0;
    },
    insert: messages('queued'),
    complete: 'delete from message_jobs',
    // The entries of the index are still compared, but their rows are not visited.
    most: 600,
  },
  'permitted messages': {
    floor: permittedFloor,
    poll: async (tx) => (await dueMessages(tx, 5))[0],
    insert: messages('sending'),
    complete: 'delete from message_jobs',
  },
  replies: {
    floor: replyFloor,
    poll: (tx) => takeReply(tx, scope),
    insert: `insert into message_replies (message_id, organization_id, agent_id, pair, kind, language, due_at)
             select ${id}, 'org_1', 'agt_1', sha256((${id})::bytea), 'agent', 'en-US', ${due} ${items}`,
    complete: 'update message_replies set due_at = null',
  },
  translations: {
    floor: translationFloor,
    poll: async (tx) => (await leaseTranslations(tx, 5, 60))[0],
    insert: `insert into translation_jobs (resource_id, organization_id, kind, target_language, due_at)
             select ${id}, 'org_1', 'message', 'de-DE', ${due} ${items}`,
    complete: 'delete from translation_jobs',
  },
  'scheduled calls': {
    floor: scheduledFloor,
    poll: (tx) => takeDue(tx, { after: '', busy: [], seconds: 60 }),
    insert: `insert into scheduled_calls (call_id, organization_id, agent_id, judge_at, consent)
             select ${id}, 'org_' || n % 3, 'agt_1', ${due}, true ${items}`,
    complete: 'delete from scheduled_calls',
    // As for queued messages.
    most: 300,
  },
  'calls that no worker adopted': {
    floor: adoptionFloor,
    poll: async (tx) => (await anyUnadopted(tx)) && (await lockUnadopted(tx)),
    insert: jobs('hosted'),
    complete: `update jobs set state = 'done', finished_at = now()`,
  },
};

describe('while another transaction holds an old snapshot', () => {
  let under: UnderTest;

  beforeAll(async () => {
    under = await telephonyUnderTest();
  });
  afterAll(() => under.stop());

  const run = (text: string, ...values: unknown[]): Promise<unknown> => under.db.query({ text, values });
  const databaseMs = async (): Promise<number> => {
    const text = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';
    return (await under.db.query<{ ms: number }>({ text })).rows[0]?.ms ?? 0;
  };

  it.each(Object.entries(polls))(
    '%s are searched from a floor',
    async (name, { floor, poll, insert, complete, most }) => {
      await withSnapshot(under.db, async () => {
        await run(insert, completed, `${name}_`, 7_200);
        await run(complete);
        await run('analyze');
        floor.looked(0, null);
        const without = await buffersOf(under.db, poll);
        floor.looked(await databaseMs(), null);
        const buffers = await buffersOf(under.db, poll);
        expect(without).toBeGreaterThan(250);
        expect(buffers).toBeLessThan(most ?? 60);
      });
    },
  );

  it('slots are counted from the floor of adoptable calls', async () => {
    await withSnapshot(under.db, async () => {
      await run(jobs('platform'), completed, 'slots_', 7_200);
      await run(`update jobs set state = 'done', finished_at = now() where state = 'adoptable'`);
      adoptionFloor.looked(0, null);
      expect(await buffersOf(under.db, freeSlots)).toBeGreaterThan(400);
      // As three minutes later.
      adoptionFloor.looked((await databaseMs()) + 180_000, null);
      expect(await buffersOf(under.db, freeSlots)).toBeLessThan(200);
    });
  });

  it.each(Object.entries(polls))('%s that were committed late are found after the next look', async (name, each) => {
    const { floor, poll, insert } = each;
    floor.looked(await databaseMs(), null);
    await run(insert, 1, `late ${name}_`, 60);
    await eventually(async () => ((await under.db.transaction(poll)) ? true : undefined), { timeoutMs: 12_000 });
  });

  describe('a campaign', () => {
    const organizationId = 'org_1';
    let count = 0;
    let campaignId: string;

    beforeEach(async () => {
      count += 1;
      campaignId = `cmp_own_${count}`;
      await insertCampaign(under.db, organizationId, campaignAs({ campaignId }));
    });

    const lock = (tx: Queryable) => lockCampaign(tx, organizationId, campaignId);
    const write = async (tx: Queryable): Promise<void> => {
      const { campaign } = (await lock(tx)) ?? {};
      if (campaign === undefined) throw new Error('no campaign');
      await writeCampaign(tx, organizationId, { ...campaign, progress: campaign.progress + 1 });
    };
    /** Updates its row as another process does. */
    const age = (times: number): Promise<unknown> =>
      run(`do $$ declare at tid; begin
          select ctid into at from campaigns where campaign_id = '${campaignId}';
          for n in 1..${times} loop
            update campaigns set progress = progress + 1 where ctid = at returning ctid into at;
          end loop; end $$`);
    const progress = async (): Promise<number> => (await under.db.transaction(lock))?.campaign.progress ?? 0;

    it('that runs is locked and updated where its row was last', async () => {
      await withSnapshot(under.db, async () => {
        await under.db.transaction(lock);
        await age(9_000);
        expect(await buffersOf(under.db, lock)).toBeGreaterThan(200);
        await under.db.transaction(lock);
        expect(await buffersOf(under.db, lock)).toBeLessThan(20);
        expect(await leastBuffersOf(under.db, write)).toBeLessThan(40);
      });
      expect(await progress()).toBe(9_004);
    });

    it('is found after an update that was rolled back, and after those of other processes', async () => {
      await under.db.transaction(write);
      const failing = under.db.transaction(async (tx) => {
        await write(tx);
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
      expect(await progress()).toBe(1);
      await age(3);
      await under.db.transaction(write);
      expect(await progress()).toBe(5);
      await run('delete from campaigns where campaign_id = $1', campaignId);
      expect(await under.db.transaction(lock)).toBeUndefined();
    });

    it('that another transaction locks and moves meanwhile is read as it is afterwards', async () => {
      await under.db.transaction(lock);
      let waiting: Promise<unknown> | undefined;
      await under.db.transaction(async (tx) => {
        await lock(tx);
        expect(
          await under.db.transaction((other) => lockCampaign(other, organizationId, campaignId, true)),
        ).toBeUndefined();
        waiting = under.db.transaction(write);
        await write(tx);
        await new Promise((resolve) => setTimeout(resolve, 200));
      });
      await waiting;
      expect(await progress()).toBe(2);
    });

    it('reads its open attempts and waiting contacts from a floor', async () => {
      const now = new Date(await databaseMs());
      const contacts = (tx: Queryable) => claimContacts(tx, organizationId, campaignId, now, 5);
      const attempts = (tx: Queryable) => listOpenAttempts(tx, organizationId, campaignId, now);
      const insert = async (n: number, prefix: string): Promise<void> => {
        await run(
          `insert into campaign_contacts (contact_id, organization_id, campaign_id, phone_number, next_attempt_at, created_at)
           select ${id}, 'org_1', $4, ${id}, ${due}, now() ${items}`,
          ...[n, prefix, 7_200, campaignId],
        );
        await run(
          `insert into campaign_attempts (attempt_id, organization_id, campaign_id, contact_id, status, ready_at, created_at)
           select ${id}, 'org_1', $4, ${id}, 'placed', ${due}, now() ${items}`,
          ...[n, prefix, 7_200, campaignId],
        );
      };
      const { contacts: contactFloor, attempts: attemptFloor } = floorsOf(campaignId);
      await withSnapshot(under.db, async () => {
        await insert(completed, `${campaignId}_`);
        await run(`update campaign_contacts set status = 'completed', outcome = 'answered', next_attempt_at = null`);
        await run(`update campaign_attempts set status = 'over'`);
        await run('analyze campaign_contacts, campaign_attempts');
        expect(await buffersOf(under.db, contacts)).toBeGreaterThan(400);
        expect(await buffersOf(under.db, attempts)).toBeGreaterThan(400);
        // Both have moved their floors.
        expect(await buffersOf(under.db, contacts)).toBeLessThan(60);
        expect(await buffersOf(under.db, attempts)).toBeLessThan(60);
        expect(await buffersOf(under.db, (tx) => nextContactDue(tx, organizationId, campaignId))).toBeLessThan(60);
      });
      // The floors are at most as high as what waits.
      for (const floor of [contactFloor, attemptFloor]) floor.looked(0, null);
      await insert(1, `late_${campaignId}_`);
      for (const floor of [contactFloor, attemptFloor]) {
        expect(floor.value).toMatch(/^1969/);
        await new Promise((resolve) => setTimeout(resolve, 1_010));
      }
      expect(await under.db.transaction(attempts)).toHaveLength(1);
      expect(Date.parse(attemptFloor.value)).toBeLessThan(now.getTime() - 7_000_000);
      expect(await under.db.transaction(contacts)).toHaveLength(1);
      expect(Date.parse(contactFloor.value)).toBeLessThan(now.getTime() - 7_000_000);
    });
  });
});
