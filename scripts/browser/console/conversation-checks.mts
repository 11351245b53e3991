/** Checks of conversations while they happen: a call that is followed on its page, and a test call next to the agent's settings; and of a search and a recovery. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { noSpeech, waveOf } from '../../clients/speech.mts';
import { Rest, text } from '../../platform/rest.mts';
import { findBrowser } from '../find-browser.mts';
import { openBrowser } from '../open-browser.mts';
import { signIn } from './signing.mts';
import { accessible, field, open, picture, press, tabTo, type ConsoleCheck, type Tour } from './tour.mts';
import { emptyOrganization } from './world.mts';

// The platform of these checks starts after this module was loaded; test calls need speech, if this machine has it.
if (noSpeech === undefined) process.env.TEST_CALL_CONDUCTOR ??= 'offline';

async function agentOf({ organization }: Tour): Promise<string> {
  const agents = (await organization.rest.get('/v1/agents'))['data'] as { agent_id: string }[];
  return agents.at(-1)?.agent_id ?? '';
}

/** The number of the simulator, because the project may have others. */
async function callFrom(tour: Tour): Promise<{ agent_id: string; from: string }> {
  const numbers = (await tour.organization.rest.get('/v1/numbers'))['data'] as {
    provider: string;
    phone_number: string;
  }[];
  const number = numbers.find(({ provider }) => provider === 'simulator');
  return { agent_id: await agentOf(tour), from: number?.phone_number ?? '' };
}

async function talkingBrowser(folder: string) {
  const microphone = path.join(folder, 'silence.wav');
  writeFileSync(microphone, waveOf(Buffer.alloc(2 * 16_000 * 5)));
  return openBrowser(findBrowser() ?? '', path.join(folder, 'profile'), [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${microphone}`,
    '--autoplay-policy=no-user-gesture-required',
  ]);
}

/** Signs in, in a browser whose microphone hears silence and which asks no one for permission. */
async function talkInBrowser(tour: Tour, key: string, run: (own: Tour) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-talk-'));
  const watched = await talkingBrowser(folder);
  const { page } = watched;
  const own: Tour = { ...tour, watched, page };
  try {
    page.setDefaultTimeout(60_000);
    await page.setViewportSize({ width: 1360, height: 900 });
    await page.goto(tour.url);
    await signIn(own, key);
    await run(own);
  } finally {
    await watched.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const conversationChecks: readonly ConsoleCheck[] = [
  {
    name: 'what is said in a call is on its page while the call is going on, and stays when it is over',
    run: async (tour) => {
      const { page, organization, watched } = tour;
      // The simulator's silent callee: its call lasts as long as a real one.
      const call = await organization.rest.post('/v1/calls', {
        ...(await callFrom(tour)),
        to: '+15005550007',
      });
      const id = text(call, 'call_id');
      await open(tour, `/calls/${id}`, '.facts');
      await page.locator('.call-lead .pill').getByText('Answered').waitFor();
      const said = 'This is a supervisor speaking.';
      await organization.rest.post(`/v1/calls/${id}/say`, { text: said });
      await page.locator('.turn[data-voice=agent]').getByText(said).waitFor();
      await picture(page, 'call-live');
      await press(page, 'End call');
      await page
        .locator('.call-lead .pill')
        .getByText(/Completed|Canceled/)
        .waitFor();
      await page.locator('.turn').getByText(said).waitFor();
      const { turns } = await organization.rest.get(`/v1/calls/${id}/transcript`);
      assert.ok((turns as { text: string }[]).some((turn) => turn.text === said));
      // A recording may not be there yet when the page asks for it first.
      watched.errors.length = 0;
    },
  },
  {
    name: 'a person talks with an agent next to its settings, by microphone and by typing, and opens the call',
    run: async (tour) => {
      if (noSpeech !== undefined) {
        console.log(`        SKIPPED: ${noSpeech}`);
        return;
      }
      await talkInBrowser(tour, tour.organization.key, async (own) => {
        const { page, watched } = own;
        await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
        await open(own, `/agents/${await agentOf(tour)}`, '.bars');
        await press(page, 'Talk to it');
        await page.locator('.talk button:focus').waitFor();
        await page.keyboard.press('Enter');
        const said = page.locator('.talk .bubbles li');
        await said.and(page.locator('[data-voice=agent]')).first().waitFor();
        await page.getByLabel('Type what you say').focus();
        await page.keyboard.type('What are your opening hours?');
        await page.keyboard.press('Enter');
        await said.and(page.locator('[data-voice=caller]')).getByText('What are your opening hours?').waitFor();
        // The greeting has no turn any more if it was interrupted before a word of it was heard.
        await page.locator('.talk .bubbles li[data-voice=caller] ~ li[data-voice=agent]').first().waitFor();
        await picture(page, 'agent-talk');
        await accessible(page, 'agent, talk');
        await press(page, 'Hang up');
        await page.locator('.talk').getByText('The call is over').waitFor();
        assert.deepEqual(
          [watched.violations, watched.errors.filter((failure) => !failure.includes('net::ERR_ABORTED'))],
          [[], []],
        );
        await page.locator('.talk a').focus();
        await page.keyboard.press('Enter');
        await page.locator('.facts').waitFor();
      });
    },
  },
  {
    name: 'from an empty project to a spoken conversation in less than a minute: an agent is created on Start and answers with audio',
    run: async (tour) => {
      if (noSpeech !== undefined) {
        console.log(`        SKIPPED: ${noSpeech}`);
        return;
      }
      const { key } = await emptyOrganization(tour.keys);
      const begin = performance.now();
      await talkInBrowser(tour, key, async ({ page }) => {
        await page.getByText('No calls yet').waitFor();
        await tabTo(page, /Start/);
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'Hear your first agent' }).waitFor();
        await tabTo(page, /Create and call/);
        await page.keyboard.press('Enter');
        await press(page, 'Talk to it yourself');
        await page.locator('.talk button:focus').waitFor();
        await page.keyboard.press('Enter');
        await page.locator('.talk .pill').getByText('Speaking').waitFor();
        await page.locator('.talk .bubbles li[data-voice=agent]').first().waitFor();
        const seconds = (performance.now() - begin) / 1000;
        console.log(`        spoken after ${seconds.toFixed(1)} s, with the start of the browser and the sign-in`);
        assert.ok(seconds < 60);
        await press(page, 'Hang up');
        await page.locator('.talk').getByText('The call is over').waitFor();
      });
    },
  },
  {
    name: 'agents are found by a name that is in the address',
    run: async (tour) => {
      const { page } = tour;
      await open(tour, '/agents', '.agent-card');
      const all = await page.locator('.agent-card').count();
      await field(page, 'Find by name').focus();
      await page.keyboard.type('prices');
      await page.waitForURL(/agents\?name=prices/);
      await page.reload();
      await page.locator('.agent-card').getByText('Prices').waitFor();
      assert.ok((await page.locator('.agent-card').count()) < all);
    },
  },
  {
    name: 'deliveries that failed are recovered by keyboard, and the page shows how far it is',
    run: async (tour) => {
      const { page } = tour;
      await open(tour, '/webhooks', '.agent-card');
      await page.getByRole('link', { name: 'Practice calendar' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Practice calendar' }).waitFor();
      await press(page, 'Recover');
      await page
        .locator('.recovery')
        .getByText(/\d+ of \d+ deliveries will be sent again/)
        .waitFor();
    },
  },
  {
    name: 'the page of a call names the rules in shadow, and what they would have decided',
    run: async (tour) => {
      const { page, organization, keys } = tour;
      const operator = new Rest(keys.base_url, keys.operator_key);
      const policy = `/v1/organizations/${organization.organizationId}/policy`;
      await operator.put(policy, { consent_required: { mode: 'shadow' } });
      try {
        const call = await organization.rest.post('/v1/calls', { ...(await callFrom(tour)), to: '+15005550001' });
        await open(tour, `/calls/${text(call, 'call_id')}?tab=policy`, '.verdict');
        await page.locator('.verdict').getByText('Allowed').waitFor();
        await page.locator('.shadow li').filter({ hasText: 'consent required' }).getByText('Blocked').waitFor();
        await picture(page, 'call-shadow');
        await accessible(page, 'call, shadow');
      } finally {
        await operator.put(policy, {});
      }
    },
  },
];
