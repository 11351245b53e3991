import type { CallInput } from './inputs';
import type { CallPlan } from './plan';
import type { CallState, Step } from './state';

export interface TimedInput {
  /** Milliseconds of call time; never less than in the step before. */
  readonly at: number;
  readonly input: CallInput;
}

/** A call begins by asking for the permit (`dialing`): nothing is dialled before it is acknowledged. `at`: its moment on the axis of call time. */
export function startCall(_plan: CallPlan, _at = 0): Step {
  throw new Error('not written yet');
}

/** The next moment at which `step` wants a `tick`; undefined while nothing is awaited but audio or events. */
export function nextDeadline(_state: CallState): number | undefined {
  throw new Error('not written yet');
}

/** The moment of audio that a due decision waits for: a `tick` is wanted as soon as `received` (and `voiced`) reaches it. Undefined: none. */
export function awaitedAudio(_state: CallState): number | undefined {
  throw new Error('not written yet');
}

/**
 * The whole conversation: one state, one input, one moment in; the next state and what is to be done out. Pure. Deadlines that have passed are met first,
 * each at its own moment, so that a late input or tick changes nothing in what they mean.
 */
export function step(_state: CallState, _input: TimedInput): Step {
  throw new Error('not written yet');
}
