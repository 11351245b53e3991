import type { CommandRefusal } from '@parley/contract';
import type { Leased } from './heartbeats';

/** What the platform wants done to a call in progress. */
export interface CallCommand {
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export type CommandResult =
  | { readonly outcome: 'performed'; readonly result?: Readonly<Record<string, unknown>> }
  | { readonly outcome: 'refused'; readonly refusal: CommandRefusal; readonly detail: string };

export const performed: CommandResult = { outcome: 'performed' };

export const refused = (refusal: CommandRefusal, detail: string): CommandResult => ({
  outcome: 'refused',
  refusal,
  detail,
});

/** A call that this worker conducts, of whatever line. */
export interface LiveCall extends Leased {
  /** Has another worker go on with the call as soon as one has room; absent: it is finished here. */
  handOver?(): void;
  /** Resolves when nothing of the call is left to do; never rejects. */
  readonly done: Promise<void>;
  /** Performs a command of the platform, or refuses it; each is given once. Absent: nothing can be done to the call. */
  command?(command: CallCommand): CommandResult | Promise<CommandResult>;
}
