/**
 * One call by a person who speaks: node run.mts '{"url", "folder", "parameters", "script"}'. Writes what was said and what was heard as WAVE files into the folder,
 * and prints one line of JSON with what happened when.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Callee } from './callee.mts';
import type { CalleeReport, CalleeScript } from './script.ts';
import { spoken } from './stimuli.mts';

const { waveOf } = await import('@parley/speech');

const { url, folder, parameters, script } = JSON.parse(process.argv[2] ?? '{}') as CalleeScript;
process.stdin.on('end', () => process.exit(1)).resume();

const texts = script.flatMap((step) => ('say' in step ? [step.say] : []));
const words = await spoken(texts);
const callee = new Callee({ url, parameters });
await callee.start();
const pacing = setInterval(() => callee.step(), 5);
const steps: { from: number; to: number }[] = [];
let lastWord = 0;

for (const step of script) {
  const from = callee.time;
  if ('say' in step) {
    const said = await callee.say(words.shift() as Int16Array);
    lastWord = said.to;
    steps.push(said);
    continue;
  }
  if ('agentSpeaks' in step) await callee.agentSpeaks(lastWord + (step.forMs ?? 0));
  else if ('agentIsSilentForMs' in step) await callee.agentIsSilent(step.agentIsSilentForMs);
  else callee.press(step.press);
  steps.push({ from, to: callee.time });
}

callee.hangUp();
clearInterval(pacing);
for (const [name, samples] of [
  ['said', callee.spoken],
  ['heard', callee.heard],
] as const)
  writeFileSync(
    path.join(folder, `${name}.wav`),
    waveOf(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength), 8_000),
  );
const { clears, marks, line } = callee;
const report: CalleeReport = { steps, clears, marks, leadMs: line?.leadMs ?? [], gapMs: line?.gapMs ?? [] };
process.stdout.write(`${JSON.stringify(report)}\n`);
process.exit(0);
