import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Customer } from './customer';
import { Platform, root } from './platform';
import { findBrowser, isInstalled, openBrowser, playedBy, type Opened } from './test-page/browser';
import { meterAs, watchMeter } from './test-page/meter';
import { halfSecondsFound, samplesOf, surrounded } from './test-page/waveform';
import { until } from './until';

const browser = findBrowser();
const missing = [
  ...(browser === undefined ? ['chromium'] : []),
  ...(isInstalled('pocketsphinx_continuous') ? [] : ['pocketsphinx', 'pocketsphinx-en-us']),
];
const question = 'What are your opening hours on Saturday?';
const understood = /opening hours/;

/** A person who uses the page: the microphone is a file, the loudspeaker is recorded, and the test uses only what a person can see of the call. */
(missing.length === 0 ? describe : describe.skip)(
  missing.length === 0
    ? 'a test call in the browser'
    : `a test call in the browser (not installed: ${missing.join(', ')})`,
  () => {
    let platform: Platform;
    let customer: Customer;
    let folder: string;
    let opened: Opened;

    beforeAll(async () => {
      platform = await Platform.start({ env: { TEST_CALL_CONDUCTOR: 'offline' } });
      customer = await Customer.create(platform);
      folder = mkdtempSync(path.join(os.tmpdir(), 'parley-page-'));
      const microphone = path.join(folder, 'question.wav');
      // The question is repeated every few seconds: if it is said during the greeting it is an interruption, and the agent gets it again later.
      writeFileSync(microphone, surrounded(await spoken(question), 5_000, 12_000));
      opened = await openBrowser(browser as string, path.join(folder, 'profile'), microphone);
    });

    afterAll(async () => {
      await opened?.context.close();
      await customer?.close();
      await platform?.stop();
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    });

    /** The text, spoken with the agent's voice. */
    async function spoken(text: string): Promise<Buffer> {
      const answer = await fetch(`${platform.baseUrls[0] ?? ''}/v1/voice-previews`, {
        method: 'POST',
        headers: { authorization: `Bearer ${customer.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ organization_id: customer.organizationId, agent_id: customer.agentId, text }),
      });
      expect(answer.status).toBe(200);
      return Buffer.from(await answer.arrayBuffer());
    }

    const said = (speaker: string): Promise<string[]> =>
      opened.page
        .locator(`#transcript li[data-speaker="${speaker}"][data-final="true"] span:last-child`)
        .allInnerTexts();

    const levels = (): Promise<[number, number][]> => opened.page.evaluate('window.levels');

    const show = (name: string): Promise<unknown> => {
      const shots = path.join(root, '.parley', 'screenshots');
      mkdirSync(shots, { recursive: true });
      return opened.page.screenshot({ path: path.join(shots, `test-page-${name}.png`), fullPage: true });
    };

    it('understands the question of the caller, and its answer is audible', async () => {
      const { page, errors } = opened;
      await page.goto(`${platform.baseUrls[0] ?? ''}/test/${customer.agentId}`);
      await page.evaluate(watchMeter);
      await show('start');
      // Only with the keyboard.
      await page.keyboard.press('Tab');
      await page.keyboard.type(customer.key);
      await page.keyboard.press('Enter');
      await until('the call is connected', async () => {
        const problem = await page.getByRole('alert').innerText();
        // A new engine may not have declared its capabilities yet; then the button is clicked again.
        if (problem.includes('(400)')) await page.getByRole('button', { name: 'Start call' }).click();
        else expect(problem).toBe('');
        return (await said('agent')).length > 0;
      });
      const answer = await until('the question was understood and answered', async () => {
        const lines = await page.locator('#transcript li').allInnerTexts();
        const asked = lines.findIndex((line) => line.startsWith('You') && understood.test(line));
        const found =
          asked === -1
            ? undefined
            : lines.slice(asked).find((line) => line.startsWith('Agent') && understood.test(line));
        return found?.split('\n').slice(1).join(' ').trim();
      });
      expect(Number(await page.getByLabel('Microphone').getAttribute('max'))).toBe(1);
      // Silence, the question, silence: the meter is still, moves, and is still again.
      await until('the meter follows the microphone', async () => /q{4,}.?l{2,}.?q{4,}/.test(meterAs(await levels())));
      const moving = (await levels()).flatMap(([, level]) => (level > 0.02 ? level : []));
      expect(new Set(moving).size).toBeGreaterThan(5);
      await until('the agent listens again', async () => (await page.getByRole('status').innerText()) === 'Listening');
      await show('call');
      const voice = samplesOf(await spoken(answer));
      const heard = await playedBy(page);
      expect(halfSecondsFound(voice, heard)).toBeGreaterThanOrEqual(3);
      // A sentence that was not spoken matches nothing that was heard.
      const other = samplesOf(await spoken('Completely different words, which were never spoken to anybody.'));
      expect(halfSecondsFound(other, heard)).toBe(0);
      await page.getByRole('button', { name: 'End call' }).press('Enter');
      await until('the end is shown', async () => (await page.getByRole('status').innerText()).startsWith('Ended'));
      expect(await page.getByRole('button', { name: 'End call' }).isDisabled()).toBe(true);
      expect((await levels()).at(-1)?.[1]).toBe(0);
      await show('end');
      expect(errors.filter((text) => !text.includes('400'))).toEqual([]);
    });

    it('leaves a record with the transcript that the page showed', async () => {
      const shown = { caller: await said('caller'), agent: await said('agent') };
      const { body } = await customer.api.get<{ data: { call_id: string }[] }>('/v1/calls');
      const callId = String(body.data[0]?.call_id);
      const call = await customer.finished(callId);
      expect(call).toMatchObject({ channel: 'browser', status: 'completed', ended_reason: 'caller_hung_up' });
      const transcript = await until('the transcript', async () => {
        const answer = await customer.api.get<{ turns: { speaker: string; text: string }[] }>(
          `/v1/calls/${callId}/transcript`,
        );
        return answer.status === 200 ? answer.body.turns : undefined;
      });
      const of = (speaker: string): string[] => transcript.flatMap((one) => (one.speaker === speaker ? one.text : []));
      expect(of('agent').slice(0, shown.agent.length)).toEqual(shown.agent);
      expect(of('caller').slice(0, shown.caller.length)).toEqual(shown.caller);
    });

    it('stores the key only in memory, and accepts a token in the fragment of its address', async () => {
      const { page } = opened;
      const kept = await page.evaluate<string>(
        'JSON.stringify([localStorage, sessionStorage, document.cookie, location.href])',
      );
      expect(kept).not.toContain(customer.key);
      const { body } = await customer.api.post<{ token: string }>(`/v1/agents/${customer.agentId}/test-calls`);
      await page.goto('about:blank');
      await page.goto(`${platform.baseUrls[0] ?? ''}/test/${customer.agentId}#token=${body.token}`);
      expect(page.url()).not.toContain(body.token);
      await page.getByRole('button', { name: 'Start call' }).click();
      await until('the agent speaks', async () => (await said('agent')).length > 0);
      await page.getByRole('button', { name: 'End call' }).click();
      await until('the end is shown', async () => (await page.getByRole('status').innerText()).startsWith('Ended'));
      // The token was used: from now on the page asks for a key.
      expect(await page.getByLabel('API key').isVisible()).toBe(true);
    });

    it('opens with the public link of a demo, without a key', async () => {
      const { page } = opened;
      const path = `/v1/agents/${customer.agentId}/demo`;
      const { body } = await customer.api.post<{ token: string }>(path, { kinds: ['voice'] });
      await page.goto(`${platform.baseUrls[0] ?? ''}/demo/${body.token}`);
      expect(await page.getByLabel('API key').isVisible()).toBe(false);
      await page.getByRole('button', { name: 'Start call' }).click();
      await until('the agent speaks', async () => (await said('agent')).length > 0);
      await page.getByRole('button', { name: 'End call' }).click();
      await until('the end is shown', async () => (await page.getByRole('status').innerText()).startsWith('Ended'));
      expect((await customer.api.get(path)).body).toMatchObject({ conversations_today: 1 });
      expect((await customer.api.delete(path)).status).toBe(200);
      expect((await page.goto(`${platform.baseUrls[0] ?? ''}/demo/${body.token}`))?.status()).toBe(404);
      await page.goto(`${platform.baseUrls[0] ?? ''}/test/${customer.agentId}`);
    });

    it('has no element that is wider than a small screen or has no accessible name, in both color schemes', async () => {
      const { page } = opened;
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await show(colorScheme);
        expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
        const unnamed = await page.evaluate<number>(
          '[...document.querySelectorAll("input, button, meter")].filter((one) => !(one.labels?.length || one.innerText)).length',
        );
        expect(unnamed).toBe(0);
      }
    });
  },
);
