/** Checks of the agent pages with the keyboard, and of the requests of pages as code. */
import assert from 'node:assert/strict';
import { accessible, choose, open, picture, press, tabTo, type ConsoleCheck } from './tour.mts';

export const agentChecks: readonly ConsoleCheck[] = [
  {
    name: 'an agent is edited by keyboard: preview while typing, changes before publishing, a version that can be restored',
    run: async (tour) => {
      const { page } = tour;
      await open(tour, '/agents', '.agent-card');
      await picture(page, 'agents');
      await accessible(page, 'agents');
      await page.locator('.agent-card .row-link').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('.bars').first().waitFor();
      await page.locator('.voice').first().waitFor();
      await page.getByLabel('First words').focus();
      await page.keyboard.press('End');
      await page.keyboard.type(' One moment, please.');
      await page.getByRole('radio', { name: 'High' }).focus();
      await page.keyboard.press('Space');
      await page.getByRole('img', { name: /Speech of 150 ms interrupts/ }).waitFor();
      await picture(page, 'agent');
      await accessible(page, 'agent');
      await page.getByRole('button', { name: 'Review 2 changes' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').getByText('One moment, please.').waitFor();
      await picture(page, 'agent-review');
      await accessible(page, 'agent, review');
      await page.getByRole('button', { name: 'Publish version 2' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('All saved').waitFor();
      await page.getByRole('tab', { name: 'History' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.version').nth(1).waitFor();
      await page.getByRole('button', { name: 'What changed' }).first().focus();
      await page.keyboard.press('Enter');
      await page.locator('.changes ins').first().waitFor();
      await picture(page, 'agent-history');
      await accessible(page, 'agent, history');
      await page.getByRole('button', { name: 'Restore' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.version').nth(2).waitFor();
    },
  },
  {
    name: 'two people who edit one agent lose nothing: the second sees what the first saved and puts the own changes over it',
    run: async (tour) => {
      const { page, organization, watched } = tour;
      const [agent] = (await organization.rest.get('/v1/agents'))['data'] as [{ agent_id: string }];
      await open(tour, `/agents/${agent.agent_id}`, '.bars');
      const prompt = page.getByLabel('Instructions');
      await prompt.fill('Mine: speak slowly.');
      await organization.rest.patch(`/v1/agents/${agent.agent_id}`, { name: 'Theirs' });
      await press(page, /^Review 1/);
      await press(page, /^(Publish|Save(?! knowledge))/);
      await page.getByRole('heading', { name: 'Someone saved this agent before you' }).waitFor();
      watched.errors.length = 0;
      await picture(page, 'agent-conflict');
      await accessible(page, 'agent, conflict');
      await page.getByRole('button', { name: 'Apply my changes on top' }).focus();
      await page.keyboard.press('Enter');
      await press(page, /^Review 1/);
      await press(page, /^(Publish|Save(?! knowledge))/);
      await page.getByText('All saved').waitFor();
      const saved = await organization.rest.get(`/v1/agents/${agent.agent_id}`);
      assert.deepEqual([saved['name'], saved['system_prompt']], ['Theirs', 'Mine: speak slowly.']);
    },
  },
  {
    name: 'what the page did is shown as curl, for the command line and with the SDK, without a key',
    run: async (tour) => {
      const { page, organization } = tour;
      await page.getByRole('button', { name: 'As code' }).focus();
      await page.keyboard.press('Enter');
      const snippet = page.locator('.snippet pre').first();
      await snippet.waitFor();
      assert.match(await snippet.innerText(), /^curl -sS/);
      await page.getByRole('radio', { name: 'TypeScript' }).focus();
      await page.keyboard.press('Space');
      assert.match(await snippet.innerText(), /await parley\.\w+\.\w+\(/);
      await picture(page, 'as-code');
      await accessible(page, 'as code');
      await page.keyboard.press('Escape');
      await snippet.waitFor({ state: 'detached' });
      // The save of an agent names the revision that it began with, and the list of calls its filters.
      const [agent] = (await organization.rest.get('/v1/agents'))['data'] as [{ agent_id: string }];
      await open(tour, `/agents/${agent.agent_id}`, '.bars');
      await page.getByLabel('Instructions').focus();
      await page.keyboard.type('Be brief. ');
      await press(page, /^Review 1/);
      await press(page, /^(Publish|Save(?! knowledge))/);
      await page.getByText('All saved').waitFor();
      await tabTo(page, /Calls/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/calls$/);
      await page.getByRole('combobox', { name: 'Status' }).waitFor();
      await choose(page, 'Direction', 'Outbound');
      await page.waitForURL(/direction=outbound/);
      await press(page, 'As code');
      await page.getByRole('radio', { name: 'CLI' }).focus();
      await page.keyboard.press('Space');
      const written = page.locator('.snippet pre');
      await written.filter({ hasText: /^parley calls list .*--direction 'outbound'/ }).waitFor();
      await written.filter({ hasText: /^parley api PUT 'agents\/.*\/configuration'[^]*-H 'If-Match: "/ }).waitFor();
      await page.keyboard.press('Escape');
      await snippet.waitFor({ state: 'detached' });
    },
  },
];
