/** The pages of webhooks, by keyboard, with a receiver that fails once. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { accessible, open, picture, type ConsoleCheck } from './tour.mts';

/** Answers 500 to the first request and 204 to the others. */
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

export const webhookChecks: readonly ConsoleCheck[] = [
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
        await press('Deliver again');
        await page.locator('.attempts .pill[data-tone=good]').getByText('204').waitFor();
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
];
