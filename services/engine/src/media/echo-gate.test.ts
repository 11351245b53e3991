import { mixed, noise, scaled, sentences, silence, speech, concat, throughMuLaw } from '../../test/waveforms';
import type { SampleRate } from '../lines/line';
import { earliestEchoMs, EchoGate } from './echo-gate';
import { windowMs } from './voice-model';

const rates: readonly SampleRate[] = [8_000, 16_000];
interface Voices {
  readonly agent: Int16Array;
  readonly caller: Int16Array;
}
const voices = new Map<SampleRate, Voices>();

beforeAll(async () => {
  for (const rate of rates)
    voices.set(rate, {
      agent: await speech(rate, sentences.slice(0, 2), 'slt'),
      caller: await speech(rate, sentences.slice(2), 'rms'),
    });
});

/** The number of input windows that are loud enough to be speech, and how many of them are classified as echo. */
function gated(rate: SampleRate, heard: Int16Array, played: Int16Array): { loud: number; echo: number } {
  const gate = new EchoGate(rate);
  const size = (windowMs * rate) / 1000;
  const later = (-earliestEchoMs * rate) / 1000;
  const reference = concat(new Int16Array(gate.referenceSamples), played, new Int16Array(later));
  let [loud, echo] = [0, 0];
  for (let end = size; end <= heard.length; end += size) {
    const window = Float32Array.from(heard.subarray(end - size, end), (sample) => sample / 32_768);
    gate.append(window);
    const level = Math.sqrt(window.reduce((sum, sample) => sum + sample * sample, 0) / size);
    if (level < 0.01) continue;
    loud += 1;
    const until = gate.referenceSamples + end + later;
    if (gate.isEcho(reference.subarray(until - gate.referenceSamples, until))) echo += 1;
  }
  return { loud, echo };
}

describe.each(rates)('the echo gate at %i Hz', (rate) => {
  const of = (): Voices => voices.get(rate) as Voices;
  const echoOf = (samples: Int16Array, ms: number, factor: number): Int16Array =>
    concat(silence(rate, ms), scaled(samples, factor)).subarray(0, samples.length);

  it.each([
    [0, 0.5],
    [35, 0.3],
    [180, 0.3],
    [180, -0.3],
    [550, 0.5],
  ])('recognizes the echo of the agent after %i ms at %d times its level, through a telephone line', (ms, factor) => {
    const { agent } = of();
    const line = noise(rate, (agent.length * 1000) / rate, 0.001);
    const { loud, echo } = gated(rate, throughMuLaw(mixed(echoOf(agent, ms, factor), line)), agent);
    expect(loud).toBeGreaterThan(60);
    expect(echo / loud).toBeGreaterThan(0.93);
  });

  it('does not classify a caller who speaks at the same time as echo', () => {
    const { agent, caller } = of();
    const { loud, echo } = gated(rate, throughMuLaw(caller), agent);
    expect(loud).toBeGreaterThan(60);
    expect(echo / loud).toBeLessThan(0.1);
  });

  it('does not classify a caller who speaks over the echo as echo', () => {
    const { agent, caller } = of();
    const both = mixed(scaled(caller, 1), echoOf(agent, 180, 0.1));
    const { loud, echo } = gated(rate, throughMuLaw(both.subarray(0, agent.length)), agent);
    expect(echo / loud).toBeLessThan(0.35);
  });

  it('classifies nothing as echo while nothing is played', () => {
    const { caller } = of();
    expect(gated(rate, caller, new Int16Array(caller.length)).echo).toBe(0);
  });
});
