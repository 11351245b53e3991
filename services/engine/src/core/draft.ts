import type { CallEffect } from './effects';
import type { Shortfall } from './problems';
import type { CallState, DeadlineName } from './state';
import type { CallerState, Reply, Utterance } from './turn-state';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The mutable state during a step. Only the top level is copied: nested values are replaced, never mutated. */
export interface Draft {
  readonly state: Mutable<CallState>;
  readonly effects: CallEffect[];
  /** The time of the input or deadline being handled. */
  now: number;
}

export function patchCaller(draft: Draft, change: Partial<CallerState>): void {
  draft.state.caller = { ...draft.state.caller, ...change };
}

export function patchReply({ state }: Draft, change: Partial<Reply>): void {
  if (state.reply !== null) state.reply = { ...state.reply, ...change };
}

export function patchUtterance({ state }: Draft, change: Partial<Utterance>): void {
  if (state.utterance !== null) state.utterance = { ...state.utterance, ...change };
}

/** Sets a deadline; `undefined` removes it. */
export function setDeadline({ state }: Draft, name: DeadlineName, at: number | undefined): void {
  if (state.deadlines[name] !== at) state.deadlines = { ...state.deadlines, [name]: at };
}

export function clearDeadlines(draft: Draft, ...names: readonly DeadlineName[]): void {
  for (const name of names) setDeadline(draft, name, undefined);
}

/** Adds a problem to the record of the call. */
export const note = ({ effects }: Draft, problem: Shortfall): void => void effects.push({ type: 'note', problem });

/** Milliseconds since the answer, as in a transcript. */
export function sinceAnswer({ state }: Draft, moment: number): number {
  return Math.max(0, Math.round(moment - (state.answeredAt ?? moment)));
}

/** The next turn's id. */
export function newTurnId({ state }: Draft): string {
  const turns = state.counts.turns + 1;
  state.counts = { ...state.counts, turns };
  return `turn_${turns}`;
}

/** Whether the caller hears the current utterance, or is about to. */
export const isAudible = ({ utterance }: CallState): boolean =>
  utterance !== null && !utterance.held && utterance.heardAt !== null;
