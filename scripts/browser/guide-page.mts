/** The requirements for `/guide`. Each check throws an error with the actual result. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/options.mts';
import type { WatchedPage } from './open-browser.mts';
import type { Check } from './reference-page.mts';

const pictures = path.join(root, '.parley/guide');

/** Runs in the page: by how many pixels the page is wider than the window. */
const sidewaysScroll = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

async function picture({ page }: WatchedPage, name: string): Promise<void> {
  if (!process.argv.includes('--screenshots')) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
}

/** Loads a page completely, and waits until its scripts run. */
async function open(watched: WatchedPage, baseUrl: string, where: string): Promise<void> {
  await watched.page.goto(`${baseUrl}/guide/${where}`, { waitUntil: 'networkidle' });
  await watched.page.locator('.VPContent h1').first().waitFor();
}

const isDark = (page: WatchedPage['page']): Promise<boolean> =>
  page.evaluate<boolean>("document.documentElement.classList.contains('dark')");

export const guideChecks: readonly Check[] = [
  {
    name: '/guide leads through its pages without loading them again',
    run: async (watched, baseUrl) => {
      const { page } = watched;
      await page.goto(`${baseUrl}/guide`);
      assert.equal(page.url(), `${baseUrl}/guide/`);
      await open(watched, baseUrl, '');
      await picture(watched, 'home');
      await page.evaluate('window.isTheSame = true');
      await page.locator('.VPSidebar a', { hasText: 'Webhooks' }).click();
      await page.locator('h1', { hasText: 'Webhooks' }).waitFor();
      assert.equal(page.url(), `${baseUrl}/guide/webhooks`);
      assert.equal(await page.evaluate('window.isTheSame'), true);
      const colours = await page.evaluate<number>(
        `new Set([...document.querySelectorAll('.vp-code span')].map((span) => getComputedStyle(span).color)).size`,
      );
      assert.ok(colours > 3, `${colours} colors of code`);
      await picture(watched, 'webhooks');
    },
  },
  {
    name: 'the search finds words in a page, from this platform alone',
    run: async (watched, baseUrl) => {
      const { page } = watched;
      await open(watched, baseUrl, '');
      await page.locator('.DocSearch-Button').click();
      await page.locator('#localsearch-input').fill('Retry-After');
      await page.locator('.VPLocalSearchBox .result', { hasText: 'Webhooks' }).first().waitFor();
      await picture(watched, 'search');
      await page.keyboard.press('Enter');
      await page.locator('.VPLocalSearchBox').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'follows the colors of the system, and the switch',
    run: async (watched, baseUrl) => {
      const { page } = watched;
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(watched, baseUrl, 'webhooks');
      assert.equal(await isDark(page), true);
      await picture(watched, 'webhooks-dark');
      await page.locator('.VPNavBarAppearance .VPSwitchAppearance').click();
      assert.equal(await isDark(page), false);
      await page.evaluate('localStorage.clear()');
      await page.emulateMedia({ colorScheme: 'light' });
    },
  },
  {
    name: 'every page of llms.txt opens, next to its Markdown, and fits 390 pixels',
    run: async (watched, baseUrl) => {
      const { page } = watched;
      const list = await (await fetch(`${baseUrl}/llms.txt`)).text();
      const pages = [...list.matchAll(/\]\(\/guide\/(\S+)\.md\)/g)].map(([, where = '']) => where);
      assert.ok(pages.length > 80, `${pages.length} pages`);
      await page.setViewportSize({ width: 390, height: 844 });
      const errors: string[] = [];
      for (const where of pages) {
        const markdown = await fetch(`${baseUrl}/guide/${where}.md`);
        if (!markdown.ok || !(await markdown.text()).includes('# ')) errors.push(`${where}.md: ${markdown.status}`);
        // The pages of decisions (ADRs) share a template, so a few of them are enough.
        if (where.startsWith('adr/') && !/\/00[01]0|index/.test(where)) continue;
        await open(watched, baseUrl, where.replace(/(^|\/)index$/, '$1'));
        const sideways = await page.evaluate<number>(sidewaysScroll);
        if (sideways > 0) errors.push(`${where}: ${sideways} pixels too wide`);
      }
      await open(watched, baseUrl, 'webhooks');
      await picture(watched, 'webhooks-narrow');
      await page.setViewportSize({ width: 1280, height: 1400 });
      assert.deepEqual(errors, []);
    },
  },
  {
    name: 'no request went to another host, nothing failed to load, nothing broke the policy, nothing was written as an error',
    run: async ({ requests, errors, violations }, baseUrl) => {
      assert.ok(requests.length > 0);
      assert.deepEqual(
        requests.filter((url) => new URL(url).origin !== baseUrl),
        [],
      );
      // Leaving a page cancels its prefetch requests, which is not an error.
      assert.deepEqual(
        errors.filter((failure) => !failure.endsWith('net::ERR_ABORTED')),
        [],
      );
      assert.deepEqual(violations, []);
    },
  },
];
