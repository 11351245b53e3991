/** Checks of what lists show while they load, when they are empty and after they failed; of dates in the reader's time zone; and of long lists. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { signIn, signOut } from './signing.mts';
import { accessible, fits, looks, open, picture, press, waits, type ConsoleCheck, type Tour } from './tour.mts';
import { emptyOrganization } from './world.mts';

/** Each list, the route that it reads, and what it shows without a record; keys always has the reader's own. */
const lists: readonly (readonly [where: string, route: string, empty: string])[] = [
  ['/calls', 'calls', 'No calls yet'],
  ['/live', 'calls', 'No call right now'],
  ['/agents', 'agents', 'No agents yet'],
  ['/simulations', 'simulation-suites', 'No suite yet'],
  ['/analytics', 'analytics/calls', 'No calls ended in this period'],
  ['/numbers', 'numbers', 'No numbers yet'],
  ['/trunks', 'sip-trunks', 'No SIP trunk yet'],
  ['/credentials', 'component-credentials', 'No credentials yet'],
  ['/webhooks', 'agent-endpoints', 'No endpoint yet'],
  ['/keys', 'api-keys', 'Yours'],
];

/** Lets a list fail once, and reads it again by keyboard. */
async function fails({ page, url }: Tour, where: string, route: string, then: string): Promise<void> {
  const pattern = `**/console/api/v1/${route}*`;
  const body = JSON.stringify({ error: 'BadRequestError', message: 'The check refuses this.' });
  await page.route(pattern, (one) => one.fulfill({ status: 400, contentType: 'application/json', body }));
  await page.goto(url + where);
  await page.getByText('Could not load this page').waitFor();
  await page.getByText('The check refuses this.').first().waitFor();
  await page.unroute(pattern);
  await accessible(page, `${where}, failed`);
  await press(page, 'Try again');
  await page.getByText(then).first().waitFor();
}

/** Shows the console as in another place, until it is set back. */
async function showInZone(page: Page, timezoneId: string, run: () => Promise<void>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setTimezoneOverride', { timezoneId });
  try {
    await run();
  } finally {
    await session.send('Emulation.setTimezoneOverride', { timezoneId: '' });
    await session.detach();
  }
}

/** A zone whose date is not that of UTC now. */
const otherDate = (): string => (new Date().getUTCHours() >= 10 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago');

const manyAgents = 150;

export const stateChecks: readonly ConsoleCheck[] = [
  {
    name: 'every list has a state while it loads, one without records, and one after a failure, from which it is read again',
    run: async (tour) => {
      const { page, keys, organization, watched } = tour;
      const empty = await emptyOrganization(keys);
      // Signing in shows the page of the address, which may belong to the other organization.
      await open(tour, '/calls', '.row-link');
      await signOut(tour);
      await signIn(tour, empty.key);
      await page.getByText('No calls yet').waitFor();
      for (const [where, route, text] of lists) {
        await waits(tour, where, route);
        await page.getByText(text).first().waitFor();
        await accessible(page, `${where}, empty`);
        await fails(tour, where, route, text);
      }
      await signOut(tour);
      await signIn(tour, organization.key);
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
      // The failures above.
      watched.errors.length = 0;
    },
  },
  {
    name: 'a number is added and released by keyboard',
    run: async (tour) => {
      const { page, organization } = tour;
      await open(tour, '/numbers', '.agent-card');
      await press(page, 'Add a number');
      await page.locator('[role=dialog] [data-autofocus]:focus').waitFor();
      await page.keyboard.type('+1 500 555 0299');
      await accessible(page, 'numbers, add');
      await page.keyboard.press('Enter');
      await page.locator('.agent-card').getByText('+15005550299').waitFor();
      await press(page, 'Release +15005550299');
      await press(page, 'Release this number');
      await page.locator('.agent-card').getByText('+15005550299').waitFor({ state: 'detached' });
      const { data } = (await organization.rest.get('/v1/numbers')) as { data: { phone_number: string }[] };
      assert.ok(data.every(({ phone_number: number }) => number !== '+15005550299'));
    },
  },
  {
    name: "dates and the days of analytics are those of the reader's time zone",
    run: async (tour) => {
      const { page, organization, watched } = tour;
      const zone = otherDate();
      const { data } = (await organization.rest.get('/v1/calls?status=completed&limit=1')) as {
        data: [{ call_id: string; created_at: string }];
      };
      const [{ call_id: id, created_at: at }] = data;
      await showInZone(page, zone, async () => {
        await open(tour, `/calls/${id}`, '.call-lead time');
        const shown = await page.locator('.call-lead time').innerText();
        const formatIn = (timeZone: string): Promise<string> =>
          page.evaluate<string>(
            `new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: '${timeZone}' }).format(new Date('${at}'))`,
          );
        assert.equal(shown, await formatIn(zone));
        assert.notEqual(shown, await formatIn('UTC'));
        await open(tour, '/analytics', '.figures tbody tr');
        await page.getByText(`in time zone ${zone}`).waitFor();
        assert.ok(watched.requests.some((one) => one.includes(`time_zone=${encodeURIComponent(zone)}`)));
        const today = await page.evaluate<string>(
          `new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: '${zone}' }).format(new Date())`,
        );
        const row = page.locator('.figures tbody tr').first();
        assert.equal(await row.locator('th').innerText(), today);
        const counted = await row.locator('td').first().innerText();
        assert.equal(await page.locator('.facts dd').first().innerText(), counted, 'all calls are of this day');
      });
    },
  },
  {
    name: 'live calls, endpoints, deliveries and keys are as good in the dark and on a telephone of 390 pixels',
    run: async (tour) => {
      const { page, organization } = tour;
      const numbers = (await organization.rest.get('/v1/numbers'))['data'] as {
        provider: string;
        phone_number: string;
        inbound_agent_id: string | null;
      }[];
      const from = numbers.find(({ provider }) => provider === 'simulator')?.phone_number;
      const agents = (await organization.rest.get('/v1/agents'))['data'] as { agent_id: string }[];
      const endpoints = (await organization.rest.get('/v1/agent-endpoints'))['data'] as {
        agent_endpoint_id: string;
        name: string;
      }[];
      const orders = endpoints.find(({ name }) => name === 'Order service');
      assert.ok(orders !== undefined);
      // It ends by itself after 20 s of silence, so it is placed just before it is looked at.
      const call = await organization.rest.post('/v1/calls', {
        ...{ agent_id: agents.at(-1)?.agent_id, from, to: '+15005550007' },
      });
      await looks(tour, [['/live', '.live-call', 'live']]);
      await organization.rest.post(`/v1/calls/${String(call['call_id'])}/cancel`, {});
      await looks(tour, [
        ['/webhooks', '.agent-card', 'webhooks'],
        [`/webhooks/${orders.agent_endpoint_id}`, '.delivery-head', 'webhook'],
        ['/keys', '.key', 'keys'],
      ]);
      await signOut(tour);
      await page.setViewportSize({ width: 390, height: 844 });
      await fits(page, 'sign-in');
      await picture(page, 'sign-in-narrow');
      await page.setViewportSize({ width: 1360, height: 900 });
      await signIn(tour, organization.key);
      await page.getByRole('navigation', { name: 'Main' }).first().waitFor();
    },
  },
  {
    name: `of ${manyAgents} agents only those near the window are in the page; the ones before them are reached by scrolling`,
    run: async (tour) => {
      const { page, organization } = tour;
      const { organizationId: organization_id, projectId: project_id, rest } = organization;
      const [newest] = (await rest.get('/v1/agents'))['data'] as [{ agent_id: string }];
      const add = (n: number) =>
        rest.post('/v1/agents', { organization_id, project_id, mode: 'hosted', name: `Agent ${n}` });
      for (let n = 0; n < manyAgents; n += 10) await Promise.all(Array.from({ length: 10 }, (_, one) => add(n + one)));
      await open(tour, '/agents', '.agent-card');
      await accessible(page, 'agents, many');
      const count = await page.locator('.agent-card').count();
      assert.ok(count > 0 && count < manyAgents, `${count} agents are in the page`);
      // It was the newest before.
      const wanted = page.locator(`.agent-card a[href$="${newest.agent_id}"]`);
      for (let n = 0; n < 50 && (await wanted.count()) === 0; n += 1) {
        await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
        await page.waitForTimeout(100);
      }
      await wanted.waitFor();
      const shown = await page.locator('.agent-card').count();
      assert.ok(shown < manyAgents, `${shown} agents are in the page`);
    },
  },
];
