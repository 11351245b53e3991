/** Checks of the console in a browser, operated with the keyboard, against a platform. Each check continues on the page where the previous one ended. */
import assert from 'node:assert/strict';
import { agentChecks } from './agent-checks.mts';
import { signIn, signOut } from './signing.mts';
import { accessible, looks, open, picture, tabTo, type ConsoleCheck, type Tour } from './tour.mts';
import { keyWith, recordedCall } from './world.mts';

export const consoleChecks: readonly ConsoleCheck[] = [
  {
    name: 'a wrong key is refused with words; a good one opens the console, and no script can read it',
    run: async (tour) => {
      const { page, watched, organization } = tour;
      await page.goto(tour.url);
      await page.locator('input[type=password]').waitFor();
      await picture(page, 'sign-in');
      await accessible(page, 'sign-in');
      await signIn(tour, 'tai_wrong');
      await page.getByRole('alert').waitFor();
      watched.errors.length = 0;
      await page.locator('input[type=password]').fill('');
      await page.locator('input[type=password]').focus();
      await signIn(tour, organization.key);
      await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
      const [cookie] = await page.context().cookies();
      assert.equal(cookie?.name, '__Host-parley-console');
      assert.deepEqual([cookie.httpOnly, cookie.secure, cookie.sameSite], [true, true, 'Strict']);
      assert.equal(await page.evaluate('document.cookie'), '');
      await page.getByText('No calls yet').waitFor();
      await picture(page, 'calls-empty');
    },
  },
  {
    name: 'from an empty project to a finished call in less than a minute, by keyboard alone',
    run: async ({ page }) => {
      const begin = performance.now();
      await tabTo(page, /Start/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Hear your first agent' }).waitFor();
      await picture(page, 'start');
      await accessible(page, 'start');
      await tabTo(page, /Create and call/);
      await page.keyboard.press('Enter');
      await page.getByText(/Done in/).waitFor({ timeout: 60_000 });
      assert.ok(performance.now() - begin < 60_000);
      await page.locator('.bubbles li').nth(3).waitFor();
      await picture(page, 'start-done');
      await accessible(page, 'start, done');
      await tabTo(page, /Open the call/);
      await page.keyboard.press('Enter');
      await page.locator('.facts').waitFor();
    },
  },
  {
    name: 'calls are placed, found by filters that are in the address, and opened, by keyboard alone',
    run: async (tour) => {
      const { page } = tour;
      await open(tour, '/calls', '.row-link');
      for (const behaviour of ['Busy', 'No answer']) {
        await page.getByRole('button', { name: 'Place a call' }).focus();
        await page.keyboard.press('Enter');
        const chip = page.getByRole('radio', { name: behaviour });
        await chip.focus();
        await page.keyboard.press('Space');
        await page.getByRole('button', { name: 'Call now' }).focus();
        await page.keyboard.press('Enter');
        await page.locator('.facts').waitFor();
        await open(tour, '/calls', '.row-link');
      }
      await page.getByRole('row').nth(3).waitFor();
      await picture(page, 'calls');
      await accessible(page, 'calls');
      await page.getByRole('combobox', { name: 'Status' }).focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option').first().waitFor();
      const chosen = page.locator('[role=option][data-combobox-selected]', { hasText: 'Completed' });
      for (let n = 0; n < 20 && (await chosen.count()) === 0; n += 1) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(/status=completed/);
      await page.reload();
      await page.locator('.row-link').first().waitFor();
      assert.ok((await page.locator('.table-scroll .pill').allInnerTexts()).every((status) => status === 'Completed'));
      await page.locator('.row-link').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('.facts').waitFor();
    },
  },
  {
    name: 'a recorded call is heard and read: two waves, turns as regions, latency, tools, events with deliveries, policy, publication',
    run: async (tour) => {
      const { page, organization, keys } = tour;
      await organization.rest.post('/v1/agent-endpoints', {
        organization_id: organization.organizationId,
        project_id: organization.projectId,
        name: 'Practice calendar',
        webhook_url: 'http://127.0.0.1:9/hook',
        audio_stream_url: 'ws://127.0.0.1:9/audio',
      });
      const callId = await recordedCall(organization, keys);
      await open(tour, `/calls/${callId}`, '.turn');
      // The recording is converted after the call.
      await page.locator('.waveform').waitFor({ timeout: 60_000 });
      // The waveform is in a shadow root and has two canvases per side.
      await page.locator('.waveform canvas').nth(1).waitFor();
      await page.locator('.waveform [part^="region "]').nth(4).waitFor();
      assert.equal(await page.locator('.waveform [part^="region "]').count(), 5);
      await picture(page, 'call');
      await accessible(page, 'call');
      await page.getByRole('button', { name: 'find_appointments' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('"free"').waitFor();
      await page.getByRole('button', { name: 'Play' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.turn[data-current=true]').waitFor();
      await page.getByRole('tab', { name: 'Transcript' }).focus();
      for (const [tab, seen] of [
        ['events', '.delivery'],
        ['policy', '.verdict'],
        ['details', '.pairs'],
      ] as const) {
        await page.keyboard.press('ArrowRight');
        await page.locator(seen).first().waitFor();
        assert.match(page.url(), new RegExp(`tab=${tab}`));
        await picture(page, `call-${tab}`);
        await accessible(page, `call, ${tab}`);
      }
      await page.getByText('Changes', { exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.locator('details[open]').filter({ hasText: 'Changes' }).waitFor();
    },
  },
  ...agentChecks,
  {
    name: 'a gateway that is killed while the page listens is there again without a reload, and what happened meanwhile is shown',
    run: async (tour) => {
      const { page, platform, watched, organization } = tour;
      await open(tour, '/calls', '.stream[data-state=open]');
      const before = await page.locator('.table-foot').innerText();
      const gateway = platform.supervisor.running().find(({ program }) => program.name === 'gateway-0');
      assert.ok(gateway !== undefined);
      process.kill(gateway.pid, 'SIGKILL');
      await page.locator('.stream[data-state=lost]').waitFor();
      const [agent] = (await again(() => organization.rest.get('/v1/agents'))) as [{ agent_id: string }];
      await organization.rest.post('/v1/calls', { agent_id: agent.agent_id, to: '+15005550001' });
      await page.locator('.stream[data-state=open]').waitFor({ timeout: 60_000 });
      // The errors of a call that was placed while the page was offline.
      await page.locator('.table-foot').filter({ hasNotText: before }).waitFor();
      watched.errors.length = 0;
    },
  },
  {
    name: 'a key with less sees a control that it lacks the scope for, gray and named',
    run: async (tour) => {
      const { page, organization, watched } = tour;
      const reader = await keyWith(organization, ['calls:read']);
      await signOut(tour);
      await signIn(tour, reader);
      const control = page.getByRole('button', { name: 'Place a call' }).first();
      await control.waitFor();
      assert.equal(await control.getAttribute('aria-disabled'), 'true');
      await control.focus();
      await page.getByText('Your key lacks the scope calls:write').first().waitFor();
      await page.keyboard.press('Enter');
      assert.equal(await page.getByRole('dialog').count(), 0);
      await signOut(tour);
      await signIn(tour, organization.key);
      await page.locator('.row-link').first().waitFor();
      // The errors of a call that was open when its session ended.
      watched.errors.length = 0;
    },
  },
  {
    name: 'every page is as good in the dark and on a telephone of 390 pixels',
    run: async (tour) => {
      const callId = await firstCall(tour);
      const [{ agent_id: agent }] = (await tour.organization.rest.get('/v1/agents'))['data'] as [{ agent_id: string }];
      const pages = [
        ['/calls', '.row-link', 'calls'],
        [`/calls/${callId}`, '.facts', 'call'],
        ['/start', '.start-form', 'start'],
        ['/agents', '.agent-card', 'agents'],
        [`/agents/${agent}`, '.bars', 'agent'],
      ] as const;
      await looks(tour, pages);
    },
  },
];

async function firstCall(tour: Tour): Promise<string> {
  await open(tour, '/calls?status=completed', '.row-link');
  const href = await tour.page.locator('.row-link').first().getAttribute('href');
  return href?.split('/').at(-1) ?? '';
}

/** Repeats a request until the restarted gateway responds. */
async function again(ask: () => Promise<Record<string, unknown>>): Promise<unknown> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    try {
      return (await ask())['data'];
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}
