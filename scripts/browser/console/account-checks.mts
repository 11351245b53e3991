/** The keyboard checks of the pages for credentials and SIP trunks. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signIn, signOut } from './signing.mts';
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
import { keyWith } from './world.mts';

const goodSecret = 'sk-console-good-0123456789';
const badSecret = 'sk-console-wrong-0123456789';

/** Starts a fake provider with OpenAI's API that accepts one key. */
async function startProvider() {
  const server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${goodSecret}`;
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' });
    response.end(isKnown ? '{"object":"list","data":[]}' : '{"error":{"message":"no such key"}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

/** Checks that no secret is in the page, in the response of the API route, or in the code that the page shows for it. */
async function holdsNoSecret({ page, organization }: Tour, route: string): Promise<void> {
  const seen = [await page.content(), JSON.stringify(await organization.rest.get(route))];
  await page.getByRole('button', { name: 'As code' }).focus();
  await page.keyboard.press('Enter');
  await page.locator('.snippet pre').first().waitFor();
  seen.push(await page.locator('.mantine-Drawer-content').innerText());
  await page.getByText('CLI', { exact: true }).click();
  seen.push(await page.locator('.mantine-Drawer-content').innerText());
  assert.match(seen.at(-1) ?? '', /parley api (POST|PATCH|DELETE|GET) /);
  await page.keyboard.press('Escape');
  await page.locator('.snippet').first().waitFor({ state: 'detached' });
  for (const text of seen)
    for (const secret of [goodSecret, badSecret, 'trunk-secret-1']) assert.ok(!text.includes(secret));
}

export const accountChecks: readonly ConsoleCheck[] = [
  {
    name: 'a credential is added, tested, given another secret, found by filters in the address and deleted; its secret is nowhere',
    run: async (tour) => {
      const { page } = tour;
      const provider = await startProvider();
      try {
        await waits(tour, '/credentials', 'component-credentials');
        await page.getByText('No credentials yet').waitFor();
        await picture(page, 'credentials-empty');
        await accessible(page, 'credentials, empty');
        await press(page, 'Add a credential');
        await choose(page, 'Provider', 'OpenAI-compatible server');
        await field(page, 'Name').focus();
        await page.keyboard.type('Our model server');
        await field(page, 'Secret').focus();
        await page.keyboard.type(badSecret);
        await field(page, 'Address').focus();
        await page.keyboard.type(provider.url);
        await accessible(page, 'credentials, add');
        await page.keyboard.press('Enter');
        const row = page.locator('.key').filter({ hasText: 'Our model server' });
        await row.locator('.pill').getByText('Not tested').waitFor();
        await press(page, 'Test');
        await row.locator('.pill').getByText('Refused').waitFor();
        await press(page, 'Replace secret');
        await field(page, 'Secret').focus();
        await page.keyboard.type(goodSecret);
        await accessible(page, 'credentials, replace');
        await page.keyboard.press('Enter');
        await row.locator('.pill').getByText('Not tested').waitFor();
        await press(page, 'Test');
        await row.locator('.pill').getByText('Accepted').waitFor();
        await tour.organization.rest.post('/v1/component-credentials', {
          ...{ organization_id: tour.organization.organizationId, kind: 'tts', provider: 'openai_compatible' },
          ...{ name: 'Spare voices', secret: badSecret, base_url: provider.url, standby: true },
        });
        await open(tour, '/credentials', '.key');
        await page.locator('.key').nth(1).waitFor();
        await picture(page, 'credentials');
        await accessible(page, 'credentials');
        await choose(page, 'Last test', 'Not tested');
        await page.waitForURL(/test=untested/);
        await page.reload();
        await page.locator('.key').getByText('Spare voices').waitFor();
        assert.equal(await page.locator('.key').count(), 1);
        await holdsNoSecret(tour, '/v1/component-credentials');
        await press(page, 'Delete');
        await press(page, 'Delete this credential');
        await page.getByText('No credentials match these filters').waitFor();
        await press(page, 'Clear filters');
        await page.locator('.key').getByText('Our model server').waitFor();
        assert.equal(await page.locator('.key').count(), 1);
      } finally {
        provider.close();
      }
    },
  },
  {
    name: 'a SIP trunk is added, named by the numbers that use it, edited without losing what someone else saved, and deleted once none uses it',
    run: async (tour) => {
      const { page, organization, watched } = tour;
      await waits(tour, '/trunks', 'sip-trunks');
      await page.getByText('No SIP trunk yet').waitFor();
      await accessible(page, 'trunks, empty');
      await press(page, 'Add a trunk');
      await field(page, 'Name').focus();
      await page.keyboard.type('Practice telephone system');
      await field(page, 'Host').focus();
      await page.keyboard.type('sip.example.com');
      await field(page, 'Username').focus();
      await page.keyboard.type('practice');
      await field(page, 'Password').focus();
      await page.keyboard.type('trunk-secret-1');
      await accessible(page, 'trunks, add');
      await page.keyboard.press('Enter');
      await page.locator('.agent-card').getByText('sip.example.com:5060').waitFor();
      const [trunk] = (await organization.rest.get('/v1/sip-trunks'))['data'] as [{ sip_trunk_id: string }];
      const number = await organization.rest.post('/v1/numbers', {
        ...{ organization_id: organization.organizationId, project_id: organization.projectId },
        ...{ provider: 'sip_trunk', phone_number: '+4930901820', sip_trunk_id: trunk.sip_trunk_id },
      });
      await open(tour, '/trunks', '.agent-card');
      await page.getByRole('link', { name: '+4930901820' }).waitFor();
      await picture(page, 'trunks');
      await accessible(page, 'trunks');
      await holdsNoSecret(tour, '/v1/sip-trunks');
      await page.getByRole('link', { name: '+4930901820' }).focus();
      await page.keyboard.press('Enter');
      await page.waitForURL(/numbers\?trunk=trk_/);
      await page.locator('.agent-card').getByText('+4930901820').waitFor();
      assert.equal(await page.locator('.agent-card').count(), 1);
      await page.goBack();
      const rename = async (name: string): Promise<void> => {
        await press(page, /^Edit Practice/);
        await field(page, 'Name').fill(name);
        await field(page, 'Name').press('Enter');
      };
      await rename('Practice Mitte');
      await page.locator('.agent-card').getByText('Practice Mitte').waitFor();
      await press(page, /^Edit Practice/);
      await field(page, 'Name').waitFor();
      await organization.rest.patch(`/v1/sip-trunks/${trunk.sip_trunk_id}`, { name: 'Practice, theirs' });
      await field(page, 'Name').press('Enter');
      await page.getByRole('alert').waitFor();
      await accessible(page, 'trunks, refused');
      await page.keyboard.press('Escape');
      await open(tour, '/trunks', '.agent-card');
      await press(page, /^Delete Practice/);
      await press(page, 'Delete this trunk');
      await page.getByRole('alert').waitFor();
      watched.errors.length = 0;
      await organization.rest.patch(`/v1/numbers/${String(number['number_id'])}`, { sip_trunk_id: null });
      await press(page, 'Delete this trunk');
      await page.getByText('No SIP trunk yet').waitFor();
    },
  },
  {
    name: 'with a key that may only read, controls of these pages are gray and named; what it may not read says so and can be tried again',
    run: async (tour) => {
      const { page, organization, watched } = tour;
      const reader = await keyWith(organization, ['calls:read', 'agents:read', 'simulations:read']);
      await open(tour, '/calls', '.row-link');
      await signOut(tour);
      await signIn(tour, reader);
      await page.getByRole('heading', { name: 'Calls', level: 1 }).waitFor();
      for (const [where, control, scope] of [
        ['/credentials', 'Add a credential', 'agents:write'],
        ['/simulations', 'New suite', 'simulations:run'],
        ['/trunks', 'Add a trunk', 'numbers:write'],
      ] as const) {
        await page.goto(tour.url + where);
        const button = page.getByRole('button', { name: control }).first();
        await button.waitFor();
        assert.equal(await button.getAttribute('aria-disabled'), 'true');
        await button.focus();
        await page.getByText(`Your key lacks the scope ${scope}`).first().waitFor();
        await page.keyboard.press('Enter');
        assert.equal(await page.getByRole('dialog').count(), 0);
        await page.keyboard.press('Escape');
      }
      // Trunks need numbers:read, which this key lacks.
      await page.getByText('Could not load this page').waitFor();
      // While the tooltip of the last button fades out, it is content outside of all landmarks.
      await page.getByRole('button', { name: 'Try again' }).focus();
      const tooltip = page.locator('[data-portal="true"]').getByText('Your key lacks the scope').first();
      await tooltip.waitFor({ state: 'detached', timeout: 3_000 }).catch(() => undefined);
      await accessible(page, 'trunks, failed');
      await page.getByRole('button', { name: 'Try again' }).waitFor();
      await signOut(tour);
      await signIn(tour, organization.key);
      await page.locator('.agent-card, .notice').first().waitFor();
      watched.errors.length = 0;
    },
  },
  {
    name: 'credentials and trunks are as good in the dark and on a telephone of 390 pixels',
    run: async (tour) => {
      const { organization } = tour;
      await organization.rest.post('/v1/sip-trunks', {
        ...{ organization_id: organization.organizationId, name: 'Carrier of the practice', host: 'sip.example.com' },
        ...{ transport: 'tcp', codecs: ['g722', 'pcmu'], cold_transfers: 'refer' },
      });
      await looks(tour, [
        ['/credentials', '.key', 'credentials'],
        ['/trunks', '.agent-card', 'trunks'],
        ['/numbers', '.agent-card', 'numbers'],
      ]);
    },
  },
];
