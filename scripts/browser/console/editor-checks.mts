/** Keyboard checks of the parts of the agent editor: voices that play, languages and tools. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessible, field, open, picture, press, type ConsoleCheck } from './tour.mts';

/** Counts the sounds that the page plays to their end: a short one is over before a check could see that it plays. */
const countSounds = `(() => {
  window.heard = 0;
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    this.addEventListener('ended', () => (window.heard += 1), { once: true });
    return play.call(this);
  };
})()`;

async function hears(page: Page): Promise<void> {
  const deadline = performance.now() + 30_000;
  while ((await page.evaluate<number>('window.heard')) === 0) {
    assert.ok(performance.now() < deadline, 'no sound was played to its end');
    await page.waitForTimeout(100);
  }
}

/** Adds an option of a list in which several can be chosen. */
async function add(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).focus();
  await page.keyboard.type(option);
  await page.getByRole('option', { name: option }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.locator('[role=option][data-combobox-selected]').getByText(option).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Escape');
}

type Agent = { tools: { name: string }[]; voice_stack: { languages: string[] } };

export const editorChecks: readonly ConsoleCheck[] = [
  {
    name: 'by keyboard a voice is heard in the editor, a language and tools are added, an exact figure moves the drawing, and what blocks calls is named',
    run: async (tour) => {
      const { page, organization } = tour;
      const { organizationId: organization_id, projectId: project_id, rest } = organization;
      const made = await rest.post('/v1/agents', {
        ...{ organization_id, project_id, mode: 'hosted', name: 'Edited' },
        system_prompt: 'You are the receptionist of a dental practice.',
      });
      const path = `/v1/agents/${String(made['agent_id'])}`;
      await rest.patch(`${path}/voice-stack`, { languages: ['en'], first_message: 'Hello.' });
      const readAgent = async (): Promise<Agent> => (await rest.get(path)) as Agent;
      await open(tour, `/agents/${String(made['agent_id'])}`, '.voice');
      await page.evaluate(countSounds);
      const chosen = page.locator('.voice[data-chosen=true]');
      const answer = page.waitForResponse((one) => one.url().endsWith('/v1/voice-previews'));
      await chosen.getByRole('button', { name: /^Hear / }).focus();
      await page.keyboard.press('Enter');
      assert.match((await answer).headers()['content-type'] ?? '', /^audio\//);
      await hears(page);
      await add(page, 'Languages', 'German');
      await page.getByText('Exact values').focus();
      await page.keyboard.press('Enter');
      await field(page, 'Speech before an interruption').focus();
      await page.keyboard.type('400');
      await page.getByRole('img', { name: /Speech of 400 ms interrupts/ }).waitFor();
      const voices = page.locator('.voice');
      await voices.filter({ hasText: 'openai' }).first().locator('input').focus();
      await page.keyboard.press('Space');
      const preview = page.locator('.preview');
      await preview.getByText('Not ready for calls yet').waitFor();
      await preview.getByText('A credential is missing').first().waitFor();
      await accessible(page, 'agent, blocked');
      await picture(page, 'agent-blocked');
      await voices.filter({ hasText: 'Simulated' }).first().locator('input').focus();
      await page.keyboard.press('Space');
      await preview.getByText('Ready for calls').waitFor();
      await press(page, 'Add a tool of the platform');
      await page.getByRole('menuitem', { name: 'end_call' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('.tools').getByText('end_call').waitFor();
      await press(page, 'Add a webhook');
      await page.locator('[role=dialog] [data-autofocus]:focus').waitFor();
      await page.keyboard.type('find_appointments');
      await field(page, 'When the model uses it').focus();
      await page.keyboard.type('To find free appointments on a day.');
      await field(page, 'Address').focus();
      await page.keyboard.type('https://practice.example.com/appointments');
      await accessible(page, 'agent, add a webhook');
      await page.keyboard.press('Enter');
      await page.locator('.tools').getByText('find_appointments').waitFor();
      await picture(page, 'agent-tools');
      await press(page, 'Review 3 changes');
      await press(page, 'Publish version 2');
      await page.getByText('All saved').waitFor();
      const saved = await readAgent();
      assert.deepEqual(
        saved.tools.map(({ name }) => name),
        ['end_call', 'find_appointments'],
      );
      assert.deepEqual(saved.voice_stack.languages, ['en', 'de']);
      await accessible(page, 'agent, with tools');
      await press(page, 'Remove find_appointments');
      await press(page, 'Review 1 changes');
      await press(page, /^(Publish version 3|Save)$/);
      await page.getByText('All saved').waitFor();
      assert.equal((await readAgent()).tools.length, 1);
    },
  },
];
