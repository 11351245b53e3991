/** The keyboard checks of the pages for simulations and analytics. */
import assert from 'node:assert/strict';
import {
  accessible,
  choose,
  field,
  looks,
  open,
  picture,
  press,
  waits,
  type ConsoleCheck,
  type Tour,
} from './tour.mts';

async function suiteId({ organization }: Tour): Promise<string> {
  const [suite] = (await organization.rest.get('/v1/simulation-suites'))['data'] as [{ simulation_suite_id: string }];
  return suite.simulation_suite_id;
}

/** Creates an agent whose first version names a price in its first message and whose second version does not. */
async function agentThatForgets({ organization }: Tour): Promise<string> {
  const { rest, organizationId, projectId } = organization;
  const agent = await rest.post('/v1/agents', {
    ...{ organization_id: organizationId, project_id: projectId, mode: 'hosted', name: 'Prices' },
    system_prompt: 'You are the receptionist of a dental practice.',
  });
  const id = String(agent['agent_id']);
  for (const first_message of ['Hello. A cleaning costs 80 euros.', 'Hello. How can I help?'])
    await rest.patch(`/v1/agents/${id}/voice-stack`, { languages: ['en'], first_message });
  return id;
}

export const insightChecks: readonly ConsoleCheck[] = [
  {
    name: 'a suite is written and run against two versions by keyboard: the report names the regression, and shows what was said',
    run: async (tour) => {
      const { page } = tour;
      await agentThatForgets(tour);
      await waits(tour, '/simulations', 'simulation-suites');
      await page.getByText('No suite yet').waitFor();
      await accessible(page, 'simulations, empty');
      await press(page, 'New suite');
      // The dialog focuses its first field when it has opened; what was typed before would be lost.
      await page.locator('[role=dialog] [data-autofocus]:focus').waitFor();
      await page.keyboard.type('Prices');
      await choose(page, 'Agent under test', 'Prices');
      for (const [label, text] of [
        ['First scenario', 'hears the price'],
        ['What the callee says', 'Hello?'],
        ['What the agent must say', '80 euros'],
      ] as const) {
        await field(page, label).focus();
        await page.keyboard.type(text);
      }
      await accessible(page, 'simulations, add');
      await page.getByRole('dialog').getByRole('button', { name: 'New suite' }).focus();
      await page.keyboard.press('Enter');
      await page.getByText('No run yet').waitFor();
      await choose(page, 'What is tried', 'A version');
      await field(page, 'Version').waitFor();
      await press(page, 'Run the suite');
      await page.locator('.report header .pill').getByText('Passed').waitFor({ timeout: 30_000 });
      await choose(page, 'What is tried', 'The published version');
      await press(page, 'Run the suite');
      await page.locator('.report header .pill').getByText('Failed').waitFor({ timeout: 30_000 });
      await page.waitForURL(/run=run_\w+&against=run_\w+/);
      await page.locator('.differences').getByText('Regression').waitFor();
      await page.reload();
      await page.locator('.differences').getByText('Regression').waitFor();
      assert.equal(await page.locator('.run').count(), 2);
      await press(page, /hears the price/);
      await page.locator('.conversations .bubbles li').first().waitFor();
      await picture(page, 'simulation');
      await accessible(page, 'simulation');
      // Switches to the report of the other run.
      await page.locator('.run').nth(1).getByRole('link').focus();
      await page.keyboard.press('Enter');
      await page.locator('.report header .pill').getByText('Passed').waitFor();
    },
  },
  {
    name: 'scenarios are edited as JSON: what is no JSON cannot be saved, what cannot run is refused with its reason',
    run: async (tour) => {
      const { page, organization, watched } = tour;
      const id = await suiteId(tour);
      await open(tour, `/simulations/${id}`, '.report');
      await press(page, 'Edit as JSON');
      const editor = page.getByLabel('Scenarios in the format of the API');
      await editor.fill('[{');
      await page.getByText('This is not a JSON list.').waitFor();
      assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
      await accessible(page, 'simulation, scenarios');
      const scenario = {
        name: 'is greeted',
        callee: { type: 'script', turns: ['Hello?'] },
        assertions: [] as object[],
      };
      await editor.fill(JSON.stringify([scenario]));
      await press(page, 'Save');
      await page.getByRole('alert').waitFor();
      watched.errors.length = 0;
      scenario.assertions.push({ type: 'said', text: 'Hello' });
      await editor.fill(JSON.stringify([scenario], null, 2));
      await press(page, 'Save');
      await page.locator('.changes').getByText('is greeted').waitFor();
      const saved = await organization.rest.get(`/v1/simulation-suites/${id}`);
      assert.deepEqual(saved['scenarios'], [scenario]);
      await open(tour, '/simulations', '.agent-card');
      await picture(page, 'simulations');
      await accessible(page, 'simulations');
      await page.locator('.agent-card .row-link').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('.report').waitFor();
    },
  },
  {
    name: 'calls are counted, drawn and grouped; groupings are in the address, and each row of the table leads to its calls',
    run: async (tour) => {
      const { page } = tour;
      await waits(tour, '/analytics', 'analytics/calls');
      await page.locator('.chart canvas').waitFor();
      await page.locator('.figures tbody tr').first().waitFor();
      assert.notEqual(await page.locator('.facts dd').first().innerText(), '0');
      await accessible(page, 'analytics');
      await choose(page, 'Group by', 'Status');
      await page.waitForURL(/by=status/);
      await choose(page, 'Period', '24 hours');
      await page.waitForURL(/period=day/);
      await choose(page, 'Metric', 'Minutes talked');
      await page.waitForURL(/figure=minutes/);
      await page.reload();
      await page.locator('.chart canvas').waitFor();
      assert.ok((await page.locator('.chart-line').count()) > 1);
      await picture(page, 'analytics');
      await accessible(page, 'analytics, grouped');
      const row = page.locator('.figures tbody tr').filter({ hasText: 'Completed' });
      const counted = Number(await row.locator('td').first().innerText());
      await row.getByRole('link').focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/calls\?.*status=completed/);
      await page.locator('.table-foot').getByText(`${counted} loaded`).waitFor();
      await open(tour, '/analytics?agent=agt_nothing', '.notice');
      await page.getByText('No calls ended in this period').waitFor();
      await accessible(page, 'analytics, empty');
    },
  },
  {
    name: 'simulations and analytics are as good in the dark and on a telephone of 390 pixels',
    run: async (tour) => {
      const id = await suiteId(tour);
      await looks(tour, [
        ['/simulations', '.agent-card', 'simulations'],
        [`/simulations/${id}`, '.report', 'simulation'],
        ['/analytics', '.chart canvas', 'analytics'],
      ]);
    },
  },
];
