/** The requirements for `/docs`. Each check throws an error with the actual result. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DevelopmentKeys } from '../platform/accounts.mts';
import type { WatchedPage } from './open-browser.mts';
import { soundChecks } from './reference-sound.mts';

const patienceMs = 60_000;

export interface Check {
  readonly name: string;
  readonly run: (watched: WatchedPage, baseUrl: string, keys: DevelopmentKeys) => Promise<void>;
}

const operation = '#operations-agents-saveVoiceStack';

/**
 * Runs in the page. With 150 rows or more the viewer renders only visible ones, so operations are collected while scrolling. Scrolls by half a window, and
 * returns the ids of the visible operations and whether the end was reached.
 */
const scrollOn = `
  window.scrollBy(0, window.innerHeight / 2);
  new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() => ({
    ids: [...document.querySelectorAll('.opblock')].map(({ id }) => id),
    atEnd: window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 1,
  }));
`;

/** Runs in the page: tries to execute an inline script. */
const inject = `
  const script = document.createElement('script');
  script.text = 'document.title = "inline script"';
  const style = document.createElement('style');
  style.textContent = 'body { letter-spacing: 7px }';
  document.head.append(script, style);
  [document.title, getComputedStyle(document.body).letterSpacing];
`;

export const checks: readonly Check[] = [
  {
    name: '/docs/events shows the fields of every event, /docs/errors every error',
    run: async ({ page }, baseUrl) => {
      await page.goto(`${baseUrl}/docs/events`);
      const heading = page.locator('#page h2');
      await heading.first().waitFor({ timeout: patienceMs });
      assert.ok((await heading.allInnerTexts()).includes('call.completed'));
      assert.match(await page.locator('#page table').nth(1).innerText(), /call_id/);
      await page.goto(`${baseUrl}/docs/errors`);
      await heading.first().waitFor({ timeout: patienceMs });
      assert.ok((await heading.allInnerTexts()).includes('rate_limited'));
    },
  },
  {
    name: '/ leads to /docs, which lists every operation of the document',
    run: async ({ page }, baseUrl) => {
      await page.goto(baseUrl);
      await page.locator(operation).waitFor({ timeout: patienceMs });
      const answer = await fetch(`${baseUrl}/openapi.json`);
      type Items = Record<string, Record<string, unknown>>;
      const { paths, webhooks = {} } = (await answer.json()) as { paths: Items; webhooks?: Items };
      const items = [...Object.values(paths), ...Object.values(webhooks)];
      // A path has, in addition to its methods, the parameters common to all of them.
      const declared = items.flatMap((item) => Object.keys(item).filter((name) => name !== 'parameters')).length;
      assert.ok(declared > 0);
      const shown = new Set<string>();
      const deadline = performance.now() + patienceMs;
      for (let atEnd = false; !atEnd && performance.now() < deadline;) {
        const seen = await page.evaluate<{ ids: string[]; atEnd: boolean }>(scrollOn);
        for (const id of seen.ids) shown.add(id);
        atEnd = seen.atEnd;
      }
      assert.equal(shown.size, declared);
      await page.evaluate('window.scrollTo(0, 0)');
      await page.locator(operation).waitFor({ timeout: patienceMs });
    },
  },
  {
    name: '2.6: the voice-stack save, expanded, shows that max_call_seconds is from 60 to 1740',
    run: async ({ page }) => {
      const opened = page.locator(operation);
      await opened.locator('.opblock-summary-control').click();
      const body = opened.locator('.opblock-section-request-body');
      const section = body.locator('li.json-schema-2020-12-property').filter({ hasText: /^turn_taking/ });
      await section.getByRole('button', { name: 'Expand all' }).first().click({ timeout: patienceMs });
      const field = section.locator('li.json-schema-2020-12-property').filter({ hasText: /^max_call_seconds/ });
      const bounds = field.locator('.json-schema-2020-12__constraint').first();
      assert.equal(await bounds.innerText({ timeout: patienceMs }), '[60, 1740]');
    },
  },
  ...soundChecks,
  {
    name: 'no request went to another host, nothing failed to load, nothing was written as an error',
    run: async ({ requests, errors }, baseUrl) => {
      assert.ok(requests.includes(`${baseUrl}/openapi.json`));
      assert.deepEqual(
        requests.filter((url) => new URL(url).origin !== baseUrl),
        [],
      );
      assert.deepEqual(errors, []);
    },
  },
  {
    name: 'the page never broke the content security policy, which is in force: it stops an inline script and a style element',
    run: async ({ page, violations }) => {
      const applied: unknown = await page.evaluate(inject);
      assert.deepEqual(applied, ['Parley reference', 'normal']);
      const ours = ['script-src-elem inline', 'style-src-elem inline'];
      const deadline = performance.now() + patienceMs;
      while (!ours.every((one) => violations.includes(one)) && performance.now() < deadline) await sleep(20);
      assert.deepEqual(violations.toSorted(), ours);
    },
  },
];
