import type { CallEffect } from './effects';
import type { CallerState, CallState, DeadlineName, Reply, Utterance } from './state';

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A step in the making. Its state is a copy of the top level alone: what lies below is replaced, never changed. */
export interface Draft {
  readonly state: Mutable<CallState>;
  readonly effects: CallEffect[];
  /** The moment of the input or deadline that is being handled. */
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

/** Sets a deadline, or with `undefined` takes it away. */
export function setDeadline({ state }: Draft, name: DeadlineName, at: number | undefined): void {
  if (state.deadlines[name] !== at) state.deadlines = { ...state.deadlines, [name]: at };
}

export function clearDeadlines(draft: Draft, ...names: readonly DeadlineName[]): void {
  for (const name of names) setDeadline(draft, name, undefined);
}

/** Milliseconds from the answer, as a transcript counts. */
export function sinceAnswer({ state }: Draft, moment: number): number {
  return Math.max(0, Math.round(moment - (state.answeredAt ?? moment)));
}

/** The next turn's id. */
export function newTurnId({ state }: Draft): string {
  const turns = state.counts.turns + 1;
  state.counts = { ...state.counts, turns };
  return `turn_${turns}`;
}

/** Whether the caller hears, or is about to hear, what is being said. */
export const isAudible = ({ utterance }: CallState): boolean =>
  utterance !== null && !utterance.held && utterance.heardAt !== null;
