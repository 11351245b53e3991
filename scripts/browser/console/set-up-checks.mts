/** Keyboard checks of an agent's knowledge, and of the pages for webhooks, live calls, keys and numbers. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accessible, open, picture, type ConsoleCheck } from './tour.mts';
import { keyWith } from './world.mts';

/** Starts a webhook receiver that responds with 500 to the first request and with 204 to the others. */
async function startReceiver() {
  const signatures: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      signatures.push(request.headers['webhook-signature'] as string | undefined);
      response.writeHead(signatures.length === 1 ? 500 : 204).end(signatures.length === 1 ? 'not yet' : undefined);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, signatures, close: () => server.close() };
}

export const setUpChecks: readonly ConsoleCheck[] = [
  {
    name: 'an agent is given a knowledge base and loses it again, by keyboard',
    run: async (tour) => {
      const { page, organization } = tour;
      const { organizationId: organization_id, projectId: project_id, rest } = organization;
      const base = await rest.post('/v1/knowledge-bases', {
        ...{ organization_id, project_id, name: 'Opening hours', language: 'en' },
      });
      const [agent] = (await rest.get('/v1/agents'))['data'] as [{ agent_id: string }];
      const attached = async (): Promise<unknown> =>
        (await rest.get(`/v1/agents/${agent.agent_id}/knowledge-bases`))['knowledge_base_ids'];
      await open(tour, `/agents/${agent.agent_id}`, '.bars');
      const bases = page.getByRole('combobox', { name: 'Knowledge bases' });
      const save = page.getByRole('button', { name: 'Save knowledge bases' });
      // The button is disabled while the request is on its way, too: only the response says that the change is stored.
      const saved = async (): Promise<void> => {
        const response = page.waitForResponse(
          (one) => one.request().method() === 'PUT' && one.url().endsWith('/knowledge-bases'),
        );
        await save.focus();
        await page.keyboard.press('Enter');
        assert.equal((await response).status(), 200);
        await page.locator('button:disabled', { hasText: 'Save knowledge bases' }).waitFor();
      };
      await bases.focus();
      await page.keyboard.type('Opening');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Escape');
      await page.getByText('query_knowledge, which it does not have yet').waitFor();
      await accessible(page, 'agent, knowledge');
      await saved();
      assert.deepEqual(await attached(), [base['knowledge_base_id']]);
      await bases.focus();
      await page.keyboard.press('Backspace');
      await saved();
      assert.deepEqual(await attached(), []);
    },
  },
  {
    name: 'an endpoint is added and shows its secret once; a test that fails shows its attempt and is delivered again; the secret rotates',
    run: async (tour) => {
      const { page } = tour;
      const receiver = await startReceiver();
      const press = async (name: string): Promise<void> => {
        await page.getByRole('button', { name, exact: true }).last().focus();
        await page.keyboard.press('Enter');
      };
      try {
        await open(tour, '/webhooks', '.agent-card, .notice');
        await picture(page, 'webhooks');
        await accessible(page, 'webhooks');
        await press('Add an endpoint');
        await page.getByLabel('Name', { exact: true }).fill('Order service');
        await page.getByLabel('Webhook address').fill(receiver.url);
        await page.getByLabel('Audio stream address').fill('ws://127.0.0.1:9/audio');
        await accessible(page, 'webhooks, add');
        await page.getByLabel('Audio stream address').press('Enter');
        await page.getByText(/^whsec_/).waitFor();
        const first = await page.getByText(/^whsec_/).innerText();
        await press('I have stored it');
        await page.getByRole('heading', { name: 'Order service' }).waitFor();
        assert.equal(await page.getByText(first).count(), 0);
        await press('Send a test');
        await page.locator('.delivery-head').first().waitFor();
        await page.locator('.delivery-head').first().focus();
        await page.keyboard.press('Enter');
        await page.locator('.attempts .pill[data-tone=bad]').getByText('500').waitFor();
        await page.getByText('not yet').waitFor();
        await picture(page, 'webhook');
        await accessible(page, 'webhook');
        await press('Redeliver');
        // On a slow machine the platform has tried again by itself meanwhile.
        await page.locator('.attempts .pill[data-tone=good]').getByText('204').first().waitFor();
        await page.locator('.delivery-head .pill').getByText('Delivered').waitFor();
        assert.ok(receiver.signatures.every((signature) => signature?.startsWith('v1,') === true));
        await press('Rotate secret');
        await page.getByText(/^whsec_/).waitFor();
        assert.notEqual(await page.getByText(/^whsec_/).innerText(), first);
        await press('I have stored it');
      } finally {
        receiver.close();
      }
    },
  },
  {
    name: 'a call in progress is on the live page at once, without polling, next to limits, queue and wallet, and is hung up there',
    run: async (tour) => {
      const { page, organization } = tour;
      const [agent] = (await organization.rest.get('/v1/agents'))['data'] as [{ agent_id: string }];
      await open(tour, '/live', '.notice');
      await accessible(page, 'live, empty');
      // The simulator's silent callee: its call lasts as long as a real one.
      await organization.rest.post('/v1/calls', { agent_id: agent.agent_id, to: '+15005550007' });
      const row = page.locator('.live-call').filter({ hasText: '+15005550007' });
      // The page polls every ten seconds, in case the key may not read events.
      await row.getByText('Answered').waitFor({ timeout: 5_000 });
      assert.deepEqual(await page.locator('.facts dt').allInnerTexts(), [
        ...['On the line', 'Dialing', 'Live calls', 'Waiting', 'Available'],
      ]);
      await picture(page, 'live');
      await accessible(page, 'live');
      await row.getByRole('button', { name: 'Hang up' }).focus();
      await page.keyboard.press('Enter');
      await row.waitFor({ state: 'detached' });
    },
  },
  {
    name: 'keys are listed without a token; one is revoked after a second question, and opens nothing any more',
    run: async (tour) => {
      const { page, organization, keys } = tour;
      const token = await keyWith(organization, ['calls:read']);
      await open(tour, '/keys', '.key');
      await page.getByText('Yours').first().waitFor();
      await picture(page, 'keys');
      await accessible(page, 'keys');
      const row = page.locator('.key').filter({ hasText: token.slice(-4) });
      await row.getByRole('button', { name: 'Revoke' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Revoke this key' }).focus();
      await page.keyboard.press('Enter');
      await row.getByText('Revoked').waitFor();
      const status = async (): Promise<number> =>
        (await fetch(`${keys.base_url}/v1/calls`, { headers: { authorization: `Bearer ${token}` } })).status;
      // Every gateway applies the revocation within a second.
      const deadline = performance.now() + 10_000;
      while ((await status()) !== 401) assert.ok(performance.now() < deadline, 'the key still opens calls');
    },
  },
  {
    name: 'a number is given the agent that answers it',
    run: async (tour) => {
      const { page, organization } = tour;
      await open(tour, '/numbers', '.agent-card');
      await picture(page, 'numbers');
      await accessible(page, 'numbers');
      const select = page.getByRole('combobox').first();
      await select.focus();
      await page.keyboard.press('ArrowDown');
      await page.getByRole('option').first().waitFor();
      const answered = page.waitForResponse((one) => one.request().method() === 'PATCH');
      // Moves to the first agent, in case the list opened without a selection.
      if ((await page.locator('[data-combobox-selected]').count()) === 0) await page.keyboard.press('ArrowDown');
      await page.locator('[data-combobox-selected]').first().waitFor();
      await page.keyboard.press('Enter');
      assert.equal((await answered).status(), 200);
      const { data } = (await organization.rest.get('/v1/numbers')) as { data: { inbound_agent_id: string | null }[] };
      assert.ok(data.some(({ inbound_agent_id: agent }) => agent !== null));
    },
  },
];
