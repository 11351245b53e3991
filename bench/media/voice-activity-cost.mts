/**
 * The cost of one window of voice activity detection, by the number of calls in one inference: the model alone, in an otherwise idle process. Prints its port
 * after the measurement; GET /figures returns the table. Started with a JSON VoiceActivityCostSettings.
 */
import './with-parent.mts';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { listening } from '../listening.mts';
import { median } from './percentiles.mts';
import { VoiceActivity, VoiceInput, windowSamples } from './voice-activity.mts';
import type { Voices } from './voices.mts';

export interface VoiceActivityCostSettings {
  /** The name of a file with Voices. */
  readonly voices: string;
  readonly batches: readonly number[];
}

export interface VoiceActivityCost {
  readonly batch: number;
  readonly cpuMsOfWindow: number;
}

const rounds = 15;
const windowsOfRound = 2_000;

const settings = JSON.parse(process.argv[2] ?? '{}') as VoiceActivityCostSettings;
const { caller } = JSON.parse(readFileSync(settings.voices, 'utf8')) as Voices;
const audio = Buffer.concat(caller.questions.map((question) => Buffer.from(question.audio, 'base64')));
const activity = await VoiceActivity.load(Math.max(...settings.batches));

/** Milliseconds of CPU per window. */
async function round(inputs: readonly VoiceInput[]): Promise<number> {
  const inferences = Math.ceil(windowsOfRound / inputs.length);
  const before = process.cpuUsage();
  for (let n = 0; n < inferences; n += 1) {
    inputs.forEach((input, place) => {
      const start = ((n + 7 * place) * windowSamples) % (audio.length - windowSamples);
      input.append(audio.subarray(start, start + windowSamples));
    });
    await activity.judge(inputs);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (inferences * inputs.length);
}

// Interleaved, so that slow phases of the machine affect all batch sizes equally.
const measured = settings.batches.map((batch) => ({ batch, ms: [] as number[] }));
for (let n = 0; n < rounds; n += 1)
  for (const { batch, ms } of measured)
    ms.push(await round(Array.from({ length: batch }, () => new VoiceInput(() => undefined))));

const figures: VoiceActivityCost[] = measured.map(({ batch, ms }) => ({ batch, cpuMsOfWindow: median(ms) }));
const server = http.createServer((_request, response) => {
  response.end(JSON.stringify(figures));
});
process.once('SIGTERM', () => process.exit(0));
listening(server.listen(0, '127.0.0.1'));
