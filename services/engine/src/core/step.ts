import { callerAtStart } from './caller-turn';
import { setDeadline, type Draft } from './draft';
import { meet } from './deadlines';
import { feedbackAtStart } from './feedback';
import type { CallInput } from './inputs';
import { onLine, onTalk } from './line';
import { navigationAtStart } from './navigation';
import { nothingOwed } from './owed-reply';
import type { CallPlan } from './plan';
import type { ResumedCall } from './state';
import { settle } from './settle';
import { deadlineNames, type CallState, type DeadlineName, type Step } from './state';
import { longestWaits } from './waits';

export interface TimedInput {
  /** Milliseconds of call time; never decreases from step to step. */
  readonly at: number;
  readonly input: CallInput;
}

/**
 * Starts a call. The first effect requests the permit (`dialing`); nothing is dialed before it is granted. `at`: the start in call time.
 * @param resumed the state of a call that another process conducted until now
 */
export function startCall(plan: CallPlan, at = 0, resumed: ResumedCall | null = null): Step {
  const state: CallState = {
    plan,
    phase: 'asking',
    now: at,
    answeredAt: resumed === null ? null : at - resumed.elapsedMs,
    canceled: false,
    opened: false,
    announced: isAnnounced(plan),
    language: plan.language,
    heardLanguage: null,
    music: false,
    muted: false,
    held: null,
    recordingPauses: [],
    watermarks: { received: null, voiced: null },
    deadlines: {},
    caller: callerAtStart,
    reply: null,
    utterance: null,
    stopped: null,
    turnEnd: null,
    tools: [],
    toolRounds: 0,
    toSay: [],
    reopenings: 0,
    listening: true,
    ending: null,
    counts: { attempts: 0, utterances: 0, turns: 0 },
    evidence: { speech: false, music: false, words: 0, machine: null, withdrawnBy: null },
    navigation: navigationAtStart,
    feedback: feedbackAtStart,
    owed: nothingOwed,
    unknownTools: [],
    voicemail: null,
    refused: [],
    voicelessSince: null,
    handsOver: false,
    resumed,
    keys: null,
    transcript: resumed?.transcript ?? [],
  };
  return { state, effects: [{ type: 'report', event: { type: 'dialing' } }] };
}

const isAnnounced = ({ recordingAnnouncement = '' }: CallPlan): boolean => recordingAnnouncement === '';

/** Deadlines that depend on the caller's audio. They are never evaluated beyond the audio that was received. */
type AwaitsAudio = 'interruption' | 'heard' | 'end_of_turn' | 'opening';
const isVoice = (name: DeadlineName): boolean => name === 'interruption' || name === 'heard';
const awaitsAudio = (name: DeadlineName): name is AwaitsAudio =>
  isVoice(name) || name === 'end_of_turn' || name === 'opening';

/** The time up to which the audio relevant to this deadline was received. */
function knownUntil({ watermarks }: CallState, name: DeadlineName): number {
  const { received, voiced } = watermarks;
  if (received === null || !awaitsAudio(name)) return Infinity;
  return isVoice(name) ? (voiced ?? received) : received;
}

/** The next time at which `step` needs a `tick`; undefined if it only waits for audio or events. */
export function nextDeadline(state: CallState): number | undefined {
  let next: number | undefined;
  for (const name of deadlineNames) {
    const at = state.deadlines[name];
    if (at === undefined || (at <= state.now && at > knownUntil(state, name))) continue;
    if (next === undefined || at < next) next = at;
  }
  return next;
}

/** The audio time that a due decision waits for: a `tick` is needed as soon as `received` (or `voiced`) reaches it. Undefined if there is none. */
export function awaitedAudio(state: CallState): number | undefined {
  let next: number | undefined;
  for (const name of deadlineNames) {
    const at = state.deadlines[name];
    if (at === undefined || at > state.now || at <= knownUntil(state, name)) continue;
    if (next === undefined || at < next) next = at;
  }
  return next;
}

/**
 * The whole conversation as a pure function: the inputs are state, input and time, the results the next state and the effects. Deadlines that have passed are
 * handled first, each at its own time, so that a late input or tick does not change their meaning.
 */
export function step(before: CallState, { at, input }: TimedInput): Step {
  const draft: Draft = { state: { ...before }, effects: [], now: before.now };
  if (input.type === 'tick') take(draft, input);
  meetAll(draft, at);
  draft.now = Math.max(draft.now, at);
  if (draft.state.phase !== 'over' && input.type !== 'tick') {
    apply(draft, input);
    settle(draft);
    meetAll(draft, at);
    draft.now = Math.max(draft.now, at);
  }
  draft.state.now = draft.now;
  return { state: draft.state, effects: draft.effects };
}

/** Updates the watermarks of received audio and of voice. */
function take(draft: Draft, { received, voiced, arrived }: Extract<CallInput, { type: 'tick' }>): void {
  const { state } = draft;
  const marks = state.watermarks;
  if (state.phase !== 'talking' || marks.received === null) return;
  const until = Math.max(marks.received, received ?? marks.received);
  const voice =
    voiced === undefined || state.caller.speakingSince === null
      ? marks.voiced
      : Math.max(marks.voiced ?? voiced, voiced);
  state.watermarks = { received: until, voiced: voice };
  // If the process analyzed audio late or was suspended, that is not evidence of a lost line.
  const givenUpAt = Math.max(until, arrived ?? until) + longestWaits.line;
  setDeadline(draft, 'line', Math.max(givenUpAt, state.deadlines.line ?? givenUpAt));
  if (voice !== null && state.caller.speakingSince !== null) setDeadline(draft, 'speech', voice + longestWaits.voice);
}

function meetAll(draft: Draft, until: number): void {
  for (let due = earliest(draft.state, until); due !== undefined; due = earliest(draft.state, until)) {
    draft.now = Math.max(draft.now, draft.state.deadlines[due] ?? until);
    setDeadline(draft, due, undefined);
    meet(draft, due);
    settle(draft);
  }
}

function earliest(state: CallState, until: number): DeadlineName | undefined {
  let found: DeadlineName | undefined;
  let first = Infinity;
  for (const name of deadlineNames) {
    const at = state.deadlines[name];
    if (at === undefined || at > until || at >= first || at > knownUntil(state, name)) continue;
    found = name;
    first = at;
  }
  return found;
}

function apply(draft: Draft, input: Exclude<CallInput, { type: 'tick' }>): void {
  if (onLine(draft, input)) return;
  const { phase } = draft.state;
  // Commands of an operator do not depend on audio.
  if (phase === 'talking' || (phase === 'answered' && input.type.startsWith('control_'))) onTalk(draft, input);
}
