/**
 * `npm run test:browser -- --figures`: measures the speed of the console against services/console/budget.json. Run it on a machine that is otherwise idle.
 * The many calls are copies of one placed call, inserted directly into the database; everything else is done through the API and the pages.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { root } from '../../platform/options.mts';
import type { Platform } from '../../platform/platform.mts';
import { preferBrowser } from '../priority.mts';
import { traceTasks, type TracedTask } from '../traced-tasks.mts';
import { signIn } from './signing.mts';
import { open, type ConsoleCheck, type Tour } from './tour.mts';

export interface Budget {
  readonly first_load_gzip_bytes: number;
  readonly interactive_cold_ms: number;
  readonly long_task_ms: number;
  readonly preview_p95_ms: number;
}

export const budget = JSON.parse(readFileSync(path.join(root, 'services/console/budget.json'), 'utf8')) as Budget;

const manyCalls = 100_000;

const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? NaN;
const shown = (values: readonly number[]): string => {
  const sorted = [...values].sort((a, b) => a - b);
  return `p50 ${quantile(sorted, 0.5).toFixed(0)} ms, p95 ${quantile(sorted, 0.95).toFixed(0)} ms, most ${quantile(sorted, 1).toFixed(0)} ms, n ${sorted.length}`;
};

/** Records the tasks of the main thread of 50 ms or longer since the navigation. */
const watchLongTasks = `window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ startTime, duration }) => ({ startTime, duration }))))
    .observe({ type: 'longtask', buffered: true });`;

interface Task {
  readonly startTime: number;
  readonly duration: number;
}

async function agentWithNumber({ organization }: Tour): Promise<string> {
  const { rest, organizationId: organization_id, projectId: project_id } = organization;
  const agent = await rest.post('/v1/agents', { organization_id, project_id, mode: 'hosted', name: 'Figures' });
  const id = String(agent['agent_id']);
  await rest.patch(`/v1/agents/${id}`, { system_prompt: 'You are the receptionist of a dental practice.' });
  await rest.patch(`/v1/agents/${id}/voice-stack`, { languages: ['en'], first_message: 'Hello.' });
  await rest.post('/v1/numbers', {
    ...{ organization_id, project_id, provider: 'simulator', phone_number: '+15005550100', inbound_agent_id: id },
  });
  return id;
}

async function oneCall({ organization: { rest } }: Tour, agentId: string): Promise<string> {
  const { call_id: id } = await rest.post('/v1/calls', { agent_id: agentId, to: '+15005550001' });
  const deadline = performance.now() + 30_000;
  for (;;) {
    const { status } = await rest.get(`/v1/calls/${String(id)}`);
    if (['completed', 'failed'].includes(String(status))) return String(id);
    assert.ok(performance.now() < deadline, `the call is still ${String(status)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const databaseUrlOf = ({ home }: Platform): string =>
  (JSON.parse(readFileSync(home.platform, 'utf8')) as { database_url: string }).database_url;

/** Inserts copies of a call, with ids that sort before its id. */
async function copyCall(databaseUrl: string, callId: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ column_name: string }>(
      `select column_name from information_schema.columns
       where table_schema = 'telephony' and table_name = 'calls' and is_generated = 'NEVER' and column_name <> 'call_id'`,
    );
    const copied = rows.map(({ column_name: name }) => `"${name}"`).join(', ');
    await client.query(
      `insert into telephony.calls (call_id, ${copied})
       select 'call_0' || lpad(n::text, 25, '0'), ${copied} from telephony.calls, generate_series(1, $2::integer) n where call_id = $1 on conflict do nothing`,
      [callId, count],
    );
    await client.query('analyze telephony.calls');
  } finally {
    await client.end();
  }
}

/** Loads a page with an empty cache. Returns the milliseconds until its rows are shown and no long task is running. */
async function coldStart(page: Page, url: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.clearBrowserCache');
  await session.detach();
  await page.goto(url);
  await page.locator('.row-link').first().waitFor();
  return page.evaluate<number>(`(async () => {
    const shown = performance.now();
    // A task that is long reports itself when it is over.
    await new Promise((done) => setTimeout(done, 200));
    const late = window.longTasks.filter(({ startTime }) => startTime < shown + 50).at(-1);
    return Math.max(shown, late === undefined ? 0 : late.startTime + late.duration);
  })()`);
}

/** Scrolls by 1,440 rows, four screens with each frame. */
const scroll = `(async () => {
  const box = document.querySelector('.table-scroll');
  for (let n = 0; n < 30; n += 1) {
    box.scrollTop += 2400;
    await new Promise((done) => requestAnimationFrame(done));
  }
  const atEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 2;
  return { atEnd, rows: Number(document.querySelector('[role=table]').getAttribute('aria-rowcount')) };
})()`;

async function scrollToEnd(page: Page): Promise<void> {
  const deadline = performance.now() + 420_000;
  for (;;) {
    const { atEnd, rows } = await page.evaluate<{ atEnd: boolean; rows: number }>(scroll);
    if (atEnd && rows > 0) return assert.equal(rows, manyCalls + 1);
    assert.ok(performance.now() < deadline, 'the end was not reached');
  }
}

/** Waits for the rows at this share of the list. Copies have descending numbers in their ids: the row's index and the number add up to the same everywhere. */
async function rowsAt(page: Page, share: number): Promise<number> {
  await page.evaluate(
    `(() => { const box = document.querySelector('.table-scroll'); box.scrollTop = box.scrollHeight * ${share}; })()`,
  );
  await page.waitForTimeout(300);
  await page.locator('.table-rows [aria-busy]').first().waitFor({ state: 'detached' });
  const sums = await page.evaluate<number[]>(`[...document.querySelectorAll('.table-rows .row-link')].map((link) =>
    Number(link.closest('[role=row]').getAttribute('aria-rowindex')) + Number(link.dataset.call.slice('call_0'.length)))`);
  const [sum] = sums.slice(-1);
  assert.ok(sum !== undefined && sums.length > 15, `${sums.length} rows`);
  assert.deepEqual([...new Set(sums.slice(-15))], [sum]);
  return sum;
}

/** Megabytes that the page keeps: its scripts' objects, and the browser's own objects for it. */
async function keptMemory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const usage: { usedSize: number; embedderHeapUsedSize?: number } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return [usage.usedSize, usage.embedderHeapUsedSize].map((bytes = NaN) => (bytes / 2 ** 20).toFixed(1)).join(' and ');
}

const listOf = (values: readonly number[]): string => values.map((value) => value.toFixed(0)).join(' ') || 'none';

export const figureChecks: readonly ConsoleCheck[] = [
  {
    name: `with an empty cache the list of calls can be used within ${budget.interactive_cold_ms} ms`,
    run: async (tour) => {
      const { page, url, organization } = tour;
      const agentId = await agentWithNumber(tour);
      await oneCall(tour, agentId);
      await page.addInitScript({ content: watchLongTasks });
      await page.goto(url);
      await signIn(tour, organization.key);
      await page.locator('.row-link').first().waitFor();
      const times: number[] = [];
      for (let n = 0; n < 7; n += 1) times.push(await coldStart(page, `${url}/calls`));
      console.log(`        interactive, cold: ${shown(times)}`);
      const median = quantile(
        [...times].sort((a, b) => a - b),
        0.5,
      );
      assert.ok(median <= budget.interactive_cold_ms, `${median} ms`);
    },
  },
  {
    name: `the agent editor's preview is there within ${budget.preview_p95_ms} ms of the last key in 95 of 100 times`,
    run: async (tour) => {
      const { page, organization } = tour;
      const [agent] = (await organization.rest.get('/v1/agents'))['data'] as [{ agent_id: string }];
      await open(tour, `/agents/${agent.agent_id}`, '.bars');
      const field = page.getByLabel('First words');
      await field.focus();
      await page.keyboard.press('End');
      await page.evaluate(`(() => {
        window.lastKey = 0;
        window.answered = [];
        document.addEventListener('keydown', ({ timeStamp }) => { window.lastKey = timeStamp; }, true);
        // Of the panel: it is busy while the preview is asked for, and shows the answer in the same change that ends it.
        const panel = document.querySelector('.preview');
        new MutationObserver(() => {
          if (panel.getAttribute('aria-busy') !== 'false' || window.lastKey === 0) return;
          window.answered.push(performance.now() - window.lastKey);
          window.lastKey = 0;
        }).observe(panel, { attributes: true, attributeFilter: ['aria-busy'] });
      })()`);
      const count = 60;
      for (let n = 1; n <= count; n += 1) {
        await page.keyboard.type(` ${n % 10}`);
        const deadline = performance.now() + 10_000;
        while ((await page.evaluate<number>('window.answered.length')) < n)
          assert.ok(performance.now() < deadline, `the preview after key ${n} did not come`);
      }
      const times = await page.evaluate<number[]>('window.answered');
      console.log(`        preview after the last key: ${shown(times)}`);
      const p95 = quantile(
        [...times].sort((a, b) => a - b),
        0.95,
      );
      assert.ok(p95 <= budget.preview_p95_ms, `${p95} ms`);
    },
  },
  {
    name: `a list of ${manyCalls} calls is scrolled to its end without a task over ${budget.long_task_ms} ms`,
    run: async (tour) => {
      const { page, watched, organization, platform } = tour;
      const { data } = (await organization.rest.get('/v1/calls')) as { data: { call_id: string }[] };
      const [call] = data;
      assert.ok(call !== undefined);
      await copyCall(databaseUrlOf(platform), call.call_id, manyCalls - data.length);
      await open(tour, '/calls', '.row-link');
      // A reader's browser does not share its cores with the platform.
      const isPreferred = preferBrowser(watched.profile);
      const before = await keptMemory(page);
      const endTrace = await traceTasks(page);
      // Only scrolling is measured here, so the tasks from loading the page are discarded.
      await page.evaluate('window.longTasks.length = 0');
      await scrollToEnd(page);
      // Scrolls down once more from the top, where the rows were dropped meanwhile.
      await page.evaluate(`document.querySelector('.table-scroll').scrollTop = 0`);
      for (let n = 0; n < 10; n += 1) await page.evaluate(scroll);
      const tasks = await page.evaluate<Task[]>('window.longTasks');
      const trace = await endTrace();
      const traced = trace.tasks.filter(({ elapsedMs }) => elapsedMs > budget.long_task_ms);
      const cpu = (list: readonly TracedTask[]): number[] => list.map(({ cpuMs }) => cpuMs).sort((a, b) => b - a);
      console.log(
        `        scrolling ${manyCalls} calls${isPreferred ? '' : ', without the right to raise the priority of the browser'}:
          ${tasks.length} tasks of 50 ms or longer: ${listOf(tasks.map(({ duration }) => duration))}
          in the trace ${traced.length} of ${trace.tasks.length} tasks over ${budget.long_task_ms} ms, their CPU time: ${listOf(cpu(traced))}
          most CPU time of any task: ${listOf(cpu(trace.tasks).slice(0, 3))}; of collections of garbage: ${listOf(cpu(trace.collections))}
          MB that the page keeps: ${before} before, ${await keptMemory(page)} after`,
      );
      assert.equal(await rowsAt(page, 0.5), await rowsAt(page, 0));
      assert.deepEqual(
        tasks.filter(({ duration }) => duration > budget.long_task_ms),
        [],
      );
    },
  },
];
