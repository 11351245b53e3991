import { startCall, step } from '../../src/core/step';
import { logForm, type LogEnd, type LogEntry, type LogHeader } from '../../src/replay/input-log';
import { UnreadableLogError } from './replay';

/** An utterance of the agent, and when it was heard. Milliseconds from the first media, as in the recording. */
export interface Said {
  readonly utterance: number;
  /** The text as passed to the voice, with digits replaced. */
  readonly text: string;
  readonly language: string;
  readonly at: number;
  /** How much of it was heard. */
  readonly heardMs: number;
}

interface Speaking {
  text: string;
  readonly language: string;
  /** The start of the utterance as computed from each progress report. */
  readonly begins: number[];
  heardMs: number;
}

/**
 * What was heard of the agent in a call, derived from the call's log: texts by the rules of this release, times by the reports of the line. @throws
 * UnreadableLogError
 */
export function saidIn(log: string): Said[] {
  const [first = '', ...lines] = log.trimEnd().split('\n');
  const { form, at: begun = 0, plan, resumed } = JSON.parse(first) as Partial<LogHeader>;
  if (form !== logForm || plan === undefined) throw new UnreadableLogError('not the log of a call');
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
/** Tolerated shift of a window in samples, caused by underruns and clock drift. */
const reachSamples = 0.3 * rate;
/** The minimum energy of a window; a quieter one has nothing to match. */
const leastEnergy = windowSamples * 300 ** 2;
/** The minimum correlation of two windows with the same audio; mu-law alone reduces it to 0.99. */
const sameSound = 0.9;

/**
 * How much of a resynthesized utterance is in the recording at the logged time: the share of its 200 ms windows with audio that match. Both have 8,000 samples
 * a second.
 * @returns undefined if no window has audio
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
 * Finds audio on the agent's side of a recording that no logged utterance explains: the start times of such 200 ms windows in milliseconds. Background sounds,
 * typing sounds and keys are not logged, so they are found too.
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
    // Offsets by distance: 0, 1, -1, 2, -2 and so on.
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
