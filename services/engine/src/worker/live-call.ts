import type { CommandRefusal } from '@parley/contract';
import type { Leased } from './heartbeats';

/** A command of the platform for a call in progress. */
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

/** A call that this worker conducts, on any line. */
export interface LiveCall extends Leased {
  /** Hands the call over to another worker as soon as one has room. Absent: the call is finished here. */
  handOver?(): void;
  /** Resolves when the call is completely finished; never rejects. */
  readonly done: Promise<void>;
  /** Performs or refuses a command from the platform; each command is passed once. Absent: the call accepts no commands. */
  command?(command: CallCommand): CommandResult | Promise<CommandResult>;
}
