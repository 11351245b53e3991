/** The sound that operations of `/docs` answer, as the browser plays it: measured while it plays, against what the gateway sends and what was recorded. */
import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { emptyOrganization, recordedCall, recordedMs, spoken } from './console/world.mts';
import type { Check } from './reference-page.mts';

const patienceMs = 60_000;

/** What was heard at a moment of the sound: seconds from its beginning, and how loud each side was, from 0 to 1. */
interface Heard {
  readonly at: number;
  readonly left: number;
  readonly right: number;
}

interface Playing {
  readonly seconds: number;
  readonly heard: readonly Heard[];
}

/** Runs in the page, with the element: plays it to its end, and listens to both sides of what comes out. */
const playToTheEnd = `async (audio) => {
  const context = new AudioContext();
  await context.resume();
  const source = context.createMediaElementSource(audio);
  const sides = context.createChannelSplitter(2);
  source.connect(sides);
  source.connect(context.destination);
  const analysers = [0, 1].map((side) => {
    const analyser = new AnalyserNode(context, { fftSize: 2048 });
    sides.connect(analyser, side);
    return analyser;
  });
  const samples = new Float32Array(2048);
  const loudness = (analyser) => {
    analyser.getFloatTimeDomainData(samples);
    return Math.sqrt(samples.reduce((sum, one) => sum + one * one, 0) / samples.length);
  };
  const heard = [];
  let isOver = false;
  const over = new Promise((resolve, reject) => {
    audio.addEventListener('ended', resolve);
    audio.addEventListener('error', () => reject(new Error(audio.error?.message ?? 'cannot be played')));
  }).finally(() => (isOver = true));
  await audio.play();
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const [left, right] = analysers.map(loudness);
    heard.push({ at: audio.currentTime, left, right });
  }
  await over;
  await context.close();
  return { seconds: audio.duration, heard };
}`;

/** Opens the operations of one tag alone: the page draws a part of a long list only. */
async function opened(page: Page, tag: string, operation: string): Promise<Locator> {
  await page.locator('.operation-filter-input').fill(tag);
  const block = page.locator(`#operations-${tag}-${operation}`);
  await block.locator('.opblock-summary-control').click({ timeout: patienceMs });
  await block.locator('.try-out__btn').click({ timeout: patienceMs });
  return block;
}

/** Sends what was filled in, and plays the answer. */
async function played(block: Locator): Promise<Playing> {
  await block.locator('button.execute').click();
  await block.locator('audio').waitFor({ timeout: patienceMs });
  return block.page().evaluate<Playing>(`(${playToTheEnd})(document.querySelector('audio'))`);
}

async function authorize(page: Page, key: string): Promise<void> {
  await page.locator('.btn.authorize').first().click({ timeout: patienceMs });
  const field = page.locator('#auth-bearer-value');
  await field.fill(key);
  await page.locator('.auth-container').filter({ has: field }).locator('button.authorize').click();
  await page.locator('.btn-done').first().click();
}

const windowSeconds = 2048 / 48_000;

/** How loud each window of a WAVE file of 16-bit samples is, from 0 to 1. */
function loudnessOf(wave: Buffer): { readonly seconds: number; readonly windows: readonly number[] } {
  const rate = wave.readUInt32LE(24);
  const begin = wave.indexOf('data') + 8;
  const count = Math.floor((wave.length - begin) / 2);
  const size = Math.round(rate * windowSeconds);
  const windows = Array.from({ length: Math.floor(count / size) }, (_, n) => {
    let sum = 0;
    for (let at = n * size; at < (n + 1) * size; at += 1) sum += (wave.readInt16LE(begin + at * 2) / 32_768) ** 2;
    return Math.sqrt(sum / size);
  });
  return { seconds: count / rate, windows };
}

const loudest = (values: readonly number[]): number => Math.max(0, ...values);
const shareAbove = (values: readonly number[], least: number): number =>
  values.filter((value) => value > least).length / Math.max(values.length, 1);
const near = (value: number, expected: number, tolerance: number): boolean => Math.abs(value - expected) <= tolerance;

/** Mu-law decoded, or Opus: what is silent is not exactly zero. */
const silence = 0.01;

export const soundChecks: readonly Check[] = [
  {
    name: 'a voice preview that is tried out on /docs is played, as loud and as long as the gateway sends it',
    run: async ({ page }, baseUrl, { admin_key: key }) => {
      await authorize(page, key);
      const body = JSON.stringify({ text: 'Good morning, how can I help?' });
      const block = await opened(page, 'voice-previews', 'previewVoice');
      await block.locator('textarea.body-param__text').fill(body);
      const { seconds, heard } = await played(block);
      const answer = await fetch(`${baseUrl}/v1/voice-previews`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
      });
      const sent = loudnessOf(Buffer.from(await answer.arrayBuffer()));
      const left = heard.map((one) => one.left);
      const found = JSON.stringify({ seconds, sent: sent.seconds, left: loudest(left), of: loudest(sent.windows) });
      assert.ok(near(seconds, sent.seconds, 0.1), found);
      assert.ok(loudest(sent.windows) > silence && near(loudest(left) / loudest(sent.windows), 1, 0.25), found);
      // Speech has pauses: some of it is loud, and not all of it.
      const share = shareAbove(sent.windows, loudest(sent.windows) / 4);
      assert.ok(near(shareAbove(left, loudest(sent.windows) / 4), share, 0.2), found);
    },
  },
  {
    name: 'the recording of a call that is read on /docs is played: each side is loud where it spoke, and silent where it did not',
    run: async ({ page }, _baseUrl, keys) => {
      const organization = await emptyOrganization(keys);
      const { rest, organizationId: organization_id, projectId: project_id } = organization;
      const number = { project_id, provider: 'simulator', phone_number: '+15005558811' };
      await rest.post('/v1/numbers', { organization_id, ...number });
      await rest.post('/v1/agents', { organization_id, project_id, mode: 'hosted', name: 'Recorded' });
      const callId = await recordedCall(organization, keys);
      await page.reload();
      await authorize(page, organization.key);
      const block = await opened(page, 'calls', 'getRecordingAudio');
      await block.locator('tr[data-param-name="call_id"] input').fill(callId);
      const { seconds, heard } = await played(block);
      assert.ok(near(seconds, recordedMs / 1000, 0.2), String(seconds));
      for (const [speaker, from, to] of spoken) {
        const inside = heard.filter(({ at }) => at * 1000 > from + 400 && at * 1000 < to - 200);
        const [its, other] = speaker === 'agent' ? (['right', 'left'] as const) : (['left', 'right'] as const);
        const found = `${speaker} from ${from}: ${JSON.stringify(inside)}`;
        assert.ok(loudest(inside.map((one) => one[its])) > 0.05, found);
        assert.ok(loudest(inside.map((one) => one[other])) < silence, found);
      }
    },
  },
];
