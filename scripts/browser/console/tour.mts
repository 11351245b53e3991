/** What all console checks share: the page, the platform behind it, and screenshots. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Locator, Page, Response } from 'playwright-core';
import type { DevelopmentKeys } from '../../platform/accounts.mts';
import { root } from '../../platform/options.mts';
import type { Platform } from '../../platform/platform.mts';
import type { WatchedPage } from '../open-browser.mts';
import type { Organization } from './world.mts';

export interface Tour {
  readonly watched: WatchedPage;
  readonly page: Page;
  /** Such as `http://127.0.0.1:8081/console`. */
  readonly url: string;
  readonly platform: Platform;
  readonly keys: DevelopmentKeys;
  readonly organization: Organization;
  readonly secrets: string[];
}

export interface ConsoleCheck {
  readonly name: string;
  readonly run: (tour: Tour) => Promise<void>;
}

/** `--screenshots` writes the screenshots to the guide; otherwise they stay in an output folder. */
const folder = process.argv.includes('--screenshots')
  ? path.join(root, 'docs/guide/console')
  : path.join(root, '.parley/console');

export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.mouse.move(0, 0);
  await page.screenshot({ path: path.join(folder, `${name}.png`), animations: 'disabled', caret: 'initial' });
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/**
 * Checks the current page with every axe rule of WCAG 2.2 AA. The debugger injects the axe script, so that no content security policy blocks it. Preloading of
 * style sheets is disabled: for a shadow root (that of the waveform) it would create style elements, which the page's policy blocks and reports.
 */
export async function accessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axe);
  const { violations } = await page.evaluate<{ violations: Finding[] }>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'], preload: false })`,
  );
  const found = violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes
        .map(
          ({ target, failureSummary }) => `${target.join(' ')} (${failureSummary.replace(/\s+/g, ' ').slice(0, 160)})`,
        )
        .slice(0, 3)
        .join('; ')}`,
  );
  findings.push(...found.map((text) => `${where}: ${text}`));
}

/** The findings of all pages so far. A page with violations does not prevent the next checks. */
export const findings: string[] = [];

/** The pattern of a key's token, which must never reach a page. */
const token = /tai_[A-Za-z0-9]{30,}/;

/** Collects responses that contain a token. */
export function watchAnswers(page: Page, secrets: string[]): void {
  page.on('response', (response: Response) => {
    if (!response.url().includes('/console/api/') || !/json/.test(response.headers()['content-type'] ?? '')) return;
    response.text().then(
      (body) => {
        if (token.test(body)) secrets.push(response.url());
      },
      () => undefined,
    );
  });
}

/** The number of tokens that scripts of the page can read. */
export const readableSecrets = `[document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage), document.documentElement.outerHTML]
  .filter((text) => /tai_[A-Za-z0-9]{30,}/.test(text)).length`;

/** Waits up to five seconds for a condition that the page reports asynchronously. */
export async function expectSoon(page: Page, holds: () => boolean): Promise<void> {
  for (let n = 0; n < 50 && !holds(); n += 1) await page.waitForTimeout(100);
  assert.ok(holds());
}

export async function open(tour: Tour, where: string, ready: string): Promise<void> {
  await tour.page.goto(tour.url + where);
  await tour.page.locator(ready).first().waitFor();
}

/** Checks that the page has no horizontal overflow. */
export async function fits(page: Page, where: string): Promise<void> {
  const wide = await page.evaluate<string[]>(`document.documentElement.scrollWidth <= window.innerWidth ? [] :
    [...document.querySelectorAll('main *')].filter((one) => one.getBoundingClientRect().right > window.innerWidth + 1)
      .map(({ tagName, className }) => tagName + ' ' + className).slice(0, 4)`);
  assert.deepEqual(wide, [], `${where} is wider than the window`);
}

/** A page: where it is, what is there when it is ready, and the name of its pictures. */
export type Looked = readonly [where: string, ready: string, name: string];

/** The pages in the dark and on a telephone of 390 pixels. */
export async function looks(tour: Tour, pages: readonly Looked[]): Promise<void> {
  const { page } = tour;
  await page.emulateMedia({ colorScheme: 'dark' });
  for (const [where, ready, name] of pages) {
    await open(tour, where, ready);
    await picture(page, `${name}-dark`);
    await accessible(page, `${name}, dark`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  for (const [where, ready, name] of pages) {
    await open(tour, where, ready);
    await fits(page, name);
    await picture(page, `${name}-narrow`);
    await accessible(page, `${name}, narrow`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1360, height: 900 });
}

/** An input by the beginning of its label, which may be followed by the mark of what is required. */
export const field = (page: Page, label: string): Locator => page.getByLabel(new RegExp(`^${label}`)).first();

/** Focuses the last button of this name and presses Enter. */
export async function press(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name, exact: true }).last().focus();
  await page.keyboard.press('Enter');
}

/** Chooses an option of a select by keyboard alone. The list opens and marks options a moment after each key, so it is tried until the select shows the option. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  const select = page.getByRole('combobox', { name: label, exact: true });
  const marked = page.locator('[role=option][data-combobox-selected]');
  const isChosen = async (): Promise<boolean> => (await select.inputValue()) === option;
  for (let tries = 0; tries < 5 && !(await isChosen()); tries += 1) {
    await select.focus();
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option').first().waitFor();
    const options = await page.getByRole('option').allInnerTexts();
    for (let n = 0; n <= options.length && (await marked.getByText(option, { exact: true }).count()) === 0; n += 1) {
      await page.keyboard.press('ArrowDown');
      await marked.waitFor();
    }
    await page.keyboard.press('Enter');
    const isClosed = page.getByRole('option').first().waitFor({ state: 'hidden', timeout: 2_000 });
    await isClosed.catch(() => undefined);
  }
  assert.ok(await isChosen(), `${option} was not chosen in ${label}`);
}

/** What a page shows while its list loads: the answer is held until that was seen. */
export async function waits(tour: Tour, where: string, list: string): Promise<void> {
  const { page } = tour;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const pattern = `**/console/api/v1/${list}*`;
  await page.route(pattern, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(tour.url + where);
  await page.locator('main [aria-busy=true]').first().waitFor();
  release();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.unroute(pattern);
}

/** Presses Tab until the focused element has the name. */
export async function tabTo(page: Page, name: RegExp, most = 60): Promise<void> {
  for (let n = 0; n < most; n += 1) {
    await page.keyboard.press('Tab');
    const focused =
      await page.evaluate<string>(`(document.activeElement?.getAttribute('aria-label') ?? '') + ' ' + (document.activeElement?.innerText ?? '') +
      ' ' + [...(document.activeElement?.labels ?? [])].map(({ innerText }) => innerText).join(' ')`);
    if (name.test(focused)) return;
  }
  assert.fail(`${String(name)} is not reached with the keyboard`);
}
