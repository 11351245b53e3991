/** Checks about the whole tour, run after every page was visited. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../platform/options.mts';
import { conversationChecks } from './conversation-checks.mts';
import { editorChecks } from './editor-checks.mts';
import { budget } from './figure-checks.mts';
import { signOut } from './signing.mts';
import { stateChecks } from './state-checks.mts';
import { expectSoon, findings, readableSecrets, type ConsoleCheck } from './tour.mts';

const loadLimit = budget.first_load_gzip_bytes;

export const closingChecks: readonly ConsoleCheck[] = [
  // Later than the visual comparison, because they add calls and agents.
  ...conversationChecks,
  ...editorChecks,
  ...stateChecks,
  {
    name: `the first load is within services/console/budget.json: ${loadLimit / 1000} KB compressed`,
    run: async () => {
      const web = path.join(root, 'services/console/dist/web');
      type Chunk = { file: string; css?: string[]; imports?: string[]; isEntry?: boolean };
      const manifest = JSON.parse(readFileSync(path.join(web, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
      const wanted = new Set<string>();
      const add = (name: string): void => {
        const { file, css = [], imports = [] } = manifest[name] ?? { file: '' };
        if (file === '' || wanted.has(file)) return;
        for (const one of [file, ...css]) wanted.add(one);
        imports.forEach(add);
      };
      // The files that the first public page loads, and known ones to check the list.
      for (const name of ['index.html', 'src/pages/calls/calls-page.tsx']) add(name);
      assert.ok(wanted.size > 3);
      const bytes = [...wanted].reduce((sum, file) => sum + readFileSync(path.join(web, `${file}.gz`)).length, 0);
      console.log(`        first load: ${(bytes / 1000).toFixed(1)} KB in ${wanted.size} files`);
      assert.ok(bytes <= loadLimit, `${bytes} bytes`);
    },
  },
  {
    name: 'nothing broke the policy, failed or was written as an error, nothing came from another host, and no answer or storage held a key',
    run: async ({ page, watched, url, secrets }) => {
      // Requests that were aborted because their page was left.
      assert.deepEqual(
        {
          violations: watched.violations,
          errors: watched.errors.filter((failure) => !failure.includes('net::ERR_ABORTED')),
        },
        { violations: [], errors: [] },
      );
      const { origin } = new URL(url);
      assert.deepEqual(
        watched.requests.filter((one) => !one.startsWith(origin) && !one.startsWith('blob:')),
        [],
      );
      assert.deepEqual(secrets, []);
      assert.equal(await page.evaluate(readableSecrets), 0);
    },
  },
  {
    name: 'every page that was seen is free of what axe finds, by WCAG 2.2 AA and its good practice',
    run: async () => assert.deepEqual(findings, []),
  },
  {
    name: 'the policy is in force: it stops an inline script, a style element and markup from a text',
    run: async ({ page, watched }) => {
      const stopped = await page.evaluate(`(() => {
        const script = document.createElement('script');
        try { script.text = 'document.title = "inline"'; document.head.append(script); } catch { /* Trusted Types */ }
        let refused = 0;
        try { document.createElement('div').innerHTML = '<img src=x onerror=alert(1)>'; } catch { refused += 1; }
        return refused;
      })()`);
      assert.equal(stopped, 1);
      assert.doesNotMatch(await page.title(), /inline/);
      // The browser reports a violation asynchronously.
      await expectSoon(page, () => watched.violations.length > 0);
    },
  },
  {
    name: 'signing out revokes the session at the platform: its cookie opens nothing any more',
    run: async (tour) => {
      const { page, watched, url } = tour;
      const cookies = await page.context().cookies();
      await signOut(tour);
      await page.context().addCookies(cookies);
      const status = (): Promise<number> =>
        page.evaluate<number>(
          `fetch('${new URL(url).pathname}/api/v1/calls', { headers: { 'X-Parley-Console': '1' } }).then(({ status }) => status)`,
        );
      // Every gateway applies the change within a second.
      const deadline = performance.now() + 10_000;
      while ((await status()) !== 401) assert.ok(performance.now() < deadline, 'the session is still good');
      watched.errors.length = 0;
    },
  },
];
