import { startCall, step } from '../core/step';
import { logForm, type LogEnd, type LogEntry, type LogHeader } from './input-log';
import { UnreadableLogError } from './replay';

/** What the agent said in one utterance, and where it was heard. Milliseconds from the first media, as its recording counts. */
export interface Said {
  readonly utterance: number;
  /** As the voice was given it; digits are others than were said. */
  readonly text: string;
  readonly language: string;
  readonly at: number;
  /** So much of it was heard. */
  readonly heardMs: number;
}

interface Speaking {
  text: string;
  readonly language: string;
  /** Where it would have begun by each report of what was heard. */
  readonly begins: number[];
  heardMs: number;
}

/** What was heard of the agent in a call, by its log: texts by the rules of this release, places by what the line reported. @throws UnreadableLogError */
export function saidIn(log: string): Said[] {
  const [first = '', ...lines] = log.trimEnd().split('\n');
  const { form, at: begun = 0, plan, resumed } = JSON.parse(first) as Partial<LogHeader>;
  if (form !== logForm || plan === undefined) throw new UnreadableLogError('no log of a call');
  let { state } = startCall(plan, begun, resumed);
  let mediaAt = begun;
  const spoken = new Map<number, Speaking>();
  for (const line of lines) {
    const entry = JSON.parse(line) as LogEntry | LogEnd;
    if (!('length' in entry)) break;
    const [at, input] = entry;
    if (input.type === 'media_started') mediaAt = at;
    if (input.type === 'played') {
      const speaking = spoken.get(input.utterance);
      speaking?.begins.push(at - input.ms);
      if (speaking !== undefined) speaking.heardMs = Math.max(speaking.heardMs, input.ms);
    }
    const next = step(state, { at, input });
    state = next.state;
    for (const effect of next.effects) {
      if (effect.type === 'start_utterance')
        spoken.set(effect.utterance, { text: '', language: effect.language, begins: [], heardMs: 0 });
      else if (effect.type === 'speak') {
        const speaking = spoken.get(effect.utterance);
        if (speaking !== undefined) speaking.text += effect.text;
      }
    }
  }
  return [...spoken].flatMap(([utterance, { begins, heardMs, text, language }]) =>
    begins.length === 0 ? [] : [{ utterance, text, language, at: middleOf(begins) - mediaAt, heardMs }],
  );
}

const middleOf = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] as number;

const rate = 8_000;
const windowSamples = 0.2 * rate;
/** A line that ran dry, and clocks of two ends, move a window by no more. */
const reachSamples = 0.3 * rate;
/** Of a window; below it there is nothing that could be found again. */
const leastEnergy = windowSamples * 300 ** 2;
/** From this correlation on a window is the same sound: mu-law alone leaves 0.99. */
const sameSound = 0.9;

/**
 * How much of an utterance, as it was synthesized again, is in the recording where the log says that it was heard: the share of its windows of 200 ms with sound.
 * Undefined: none of it has sound. Both at 8,000 samples a second.
 */
export function shareFound(samples: Int16Array, { at, heardMs }: Said, recorded: Int16Array): number | undefined {
  const until = Math.min(samples.length, (heardMs * rate) / 1000);
  let windows = 0;
  let found = 0;
  for (let from = 0; from + windowSamples <= until; from += windowSamples) {
    const wanted = samples.subarray(from, from + windowSamples);
    if (energyOf(wanted) < leastEnergy) continue;
    windows += 1;
    if (isAround(wanted, recorded, Math.round((at * rate) / 1000) + from)) found += 1;
  }
  return windows === 0 ? undefined : found / windows;
}

/**
 * Where the agent's side of a recording has sound that no utterance of the log accounts for: the milliseconds at which such windows of 200 ms begin. Backgrounds, sounds of typing
 * and keys are in no log, and are found here too.
 */
export function unaccountedFor(said: readonly Said[], recorded: Int16Array): number[] {
  const reachMs = (reachSamples * 1_000) / rate;
  const found: number[] = [];
  for (let from = 0; from + windowSamples <= recorded.length; from += windowSamples) {
    if (energyOf(recorded.subarray(from, from + windowSamples)) < leastEnergy) continue;
    const [begin, end] = [(from * 1_000) / rate, ((from + windowSamples) * 1_000) / rate];
    const isSaid = said.some(({ at, heardMs }) => begin >= at - reachMs && end <= at + heardMs + reachMs);
    if (!isSaid) found.push(begin);
  }
  return found;
}

function isAround(wanted: Int16Array, recorded: Int16Array, place: number): boolean {
  const energy = energyOf(wanted);
  for (let nth = 0; nth <= 2 * reachSamples; nth += 1) {
    // The nearest first: 0, 1, -1, 2, -2 and so on.
    const lag = nth % 2 === 1 ? (nth + 1) / 2 : -nth / 2;
    const heard = recorded.subarray(Math.max(0, place + lag), Math.max(0, place + lag) + wanted.length);
    if (heard.length < wanted.length) continue;
    let product = 0;
    for (let n = 0; n < wanted.length; n += 1) product += (wanted[n] as number) * (heard[n] as number);
    if (product / Math.sqrt(energy * Math.max(1, energyOf(heard))) >= sameSound) return true;
  }
  return false;
}

const energyOf = (samples: Int16Array): number => samples.reduce((sum, sample) => sum + sample * sample, 0);
