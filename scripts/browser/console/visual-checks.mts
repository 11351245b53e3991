/**
 * Compares screenshots of the ten main pages, at half size, with those in `baselines`; with `--baselines` it replaces those instead. Content that differs
 * between runs (times, ids, figures of calls) is hidden first. Because fonts change the pictures, the check is skipped on a machine whose fonts differ from
 * those of the baselines.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import pixelmatch from 'pixelmatch';
import { PNG } from 'pngjs';
import { root } from '../../platform/options.mts';
import { open, type ConsoleCheck, type Tour } from './tour.mts';

const folder = path.join(import.meta.dirname, 'baselines');
const output = path.join(root, '.parley/console');
const isWritten = process.argv.includes('--baselines');
/** The share of the pixels of a page that may differ. A missing button changes 0.3 %. */
const tolerance = 0.002;

const hidden = [
  ...['time', 'code', 'canvas', '.chart', '.call-lead', '.turn-time', '.latency', '.lane', '.waveform', '.lane-ticks'],
  ...['[data-column=started]', '[data-column=duration]', '[data-column=cost]', '.facts dd', '.bars', '.account-text'],
  ...['.figures td', '.figures tbody th', '.stream', '.table-foot', '.key small', '.event-offset'],
].join(', ');

/** Hides elements with style properties, because the page's content security policy refuses an added style sheet. */
const hide = (selectors: string): string => `for (const one of document.querySelectorAll(${JSON.stringify(selectors)}))
  one.style.visibility = 'hidden'`;

async function pictureOf(page: Page): Promise<PNG> {
  await page.evaluate(hide(hidden));
  await page.mouse.move(0, 0);
  await page.evaluate('document.activeElement?.blur?.(); scrollTo(0, 0)');
  // Waits two frames, so that the page is drawn without the hidden elements.
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  return halved(PNG.sync.read(await page.screenshot({ caret: 'initial' })));
}

/** Scales to half size by averaging four pixels each: files are smaller, and differences at the edges of letters have less weight. */
function halved(source: PNG): PNG {
  const half = new PNG({ width: source.width >> 1, height: source.height >> 1 });
  for (let y = 0; y < half.height; y += 1)
    for (let x = 0; x < half.width; x += 1)
      for (let channel = 0; channel < 4; channel += 1) {
        const at = (dx: number, dy: number): number =>
          source.data[((2 * y + dy) * source.width + 2 * x + dx) * 4 + channel] ?? 0;
        half.data[(y * half.width + x) * 4 + channel] = (at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1)) >> 2;
      }
  return half;
}

const write = (where: string, name: string, picture: PNG): void => {
  mkdirSync(where, { recursive: true });
  writeFileSync(path.join(where, `${name}.png`), PNG.sync.write(picture, { colorType: 2 }));
};

/** Returns the share of pixels that differ from the baseline; if it exceeds the tolerance, writes the screenshot and the differences. */
function difference(name: string, picture: PNG): number {
  const baseline = PNG.sync.read(readFileSync(path.join(folder, `${name}.png`)));
  const { width, height } = baseline;
  assert.deepEqual([picture.width, picture.height], [width, height], `${name} has another size`);
  const diff = new PNG({ width, height });
  const count = pixelmatch(baseline.data, picture.data, diff.data, width, height, { threshold: 0.15 });
  if (count / (width * height) > tolerance) {
    write(output, `${name}-is`, picture);
    write(output, `${name}-differs`, diff);
  }
  return count / (width * height);
}

/** Measures the width of a text in the fonts of the page, to detect whether the machine has the same fonts. */
const fonts = `(() => {
  const context = document.createElement('canvas').getContext('2d');
  return [getComputedStyle(document.body).fontFamily, 'monospace'].map((family) => {
    context.font = '40px ' + family;
    return Math.round(context.measureText('Practice Mitte 0123456789 WAV').width);
  }).join(' ');
})()`;

async function mainPages({ organization }: Tour): Promise<readonly (readonly [string, string, string])[]> {
  const first = async (list: string, id: string): Promise<string> => {
    const [one] = (await organization.rest.get(list))['data'] as [Record<string, string>];
    return String(one[id]);
  };
  const agents = (await organization.rest.get('/v1/agents'))['data'] as { agent_id: string }[];
  const calls = (await organization.rest.get('/v1/calls?status=completed&limit=100'))['data'] as { call_id: string }[];
  return [
    ['/start', '.start-form', 'start'],
    ['/calls', '.row-link', 'calls'],
    [`/calls/${calls.at(-1)?.call_id}?tab=policy`, 'main:has(.lane-ticks):has(.verdict)', 'call'],
    ['/agents', '.agent-card', 'agents'],
    [`/agents/${agents.at(-1)?.agent_id}`, '.voice', 'agent'],
    [`/simulations/${await first('/v1/simulation-suites', 'simulation_suite_id')}`, '.scenarios', 'simulation'],
    ['/analytics?by=direction', '.chart canvas', 'analytics'],
    ['/numbers', '.agent-card', 'numbers'],
    ['/credentials', '.key', 'credentials'],
    ['/trunks', '.agent-card', 'trunks'],
  ];
}

export const visualChecks: readonly ConsoleCheck[] = [
  {
    name: 'the ten main pages look as they did, and a page in the other theme would be noticed',
    run: async (tour) => {
      const { page } = tour;
      const measured = await page.evaluate<string>(fonts);
      const ofFonts = path.join(folder, 'fonts.txt');
      const isSameFont = existsSync(ofFonts) && readFileSync(ofFonts, 'utf8').trim() === measured;
      if (!isWritten && !isSameFont) {
        // Not refused by REFUSE_SKIPPED: fonts belong to the machine, and no package that a run installs decides which ones are used.
        console.log(`        SKIPPED: this machine has other fonts (${measured}) than the baselines`);
        return;
      }
      const differing: string[] = [];
      for (const [where, ready, name] of await mainPages(tour)) {
        await open(tour, where, ready);
        const picture = await pictureOf(page);
        if (isWritten) {
          write(folder, name, picture);
          continue;
        }
        const share = difference(name, picture);
        if (share > tolerance) differing.push(`${name}: ${(100 * share).toFixed(2)} %`);
      }
      if (isWritten) writeFileSync(ofFonts, `${measured}\n`);
      assert.deepEqual(
        differing,
        [],
        'see .parley/console/<page>-differs.png; --baselines takes the pages as they are',
      );
      await page.emulateMedia({ colorScheme: 'dark' });
      await open(tour, '/trunks', '.agent-card');
      assert.ok(difference('trunks', await pictureOf(page)) > tolerance);
      await page.emulateMedia({ colorScheme: 'light' });
    },
  },
];
