import type { WorkerJob } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { CallInput, ModelInput } from '../core/inputs';
import { type CallPlan, planOf } from '../core/plan';
import type { Shortfall } from '../core/problems';
import type { ResumedCall } from '../core/resume';
import type { CallState } from '../core/state';
import type { TurnLatency } from '../core/transcript';
import type { InputLog } from '../replay/input-log';
import type { Platform } from '../worker/platform';
import type { CallClock } from './call-clock';
import type { CallLine } from './call-line';
import type { CallTools } from './call-tools';
import type { ChatTurns } from './chat-turns';
import type { Replies } from './replies';

/** What a call is conducted with. */
export interface SessionParts {
  readonly line: CallLine;
  readonly replies: Replies;
  readonly tools: CallTools;
  /** What this worker leaves out of the call. */
  readonly shortfalls: readonly Shortfall[];
}

/** What the parts of a call may ask of its session. */
export interface SessionContext {
  readonly plan: CallPlan;
  onModelInput(input: ModelInput): void;
  onToolEnded(input: Extract<CallInput, { type: 'tool_ended' }>): void;
  note(problem: Shortfall): void;
}

export interface SessionOptions {
  readonly job: WorkerJob;
  readonly platform: Platform;
  readonly clock: CallClock;
  readonly log: Logger;
  /**
   * Makes ready what the call needs. Nothing is dialled before it is. Undefined, or an error: this worker cannot conduct the call, whose record then says
   * so.
   */
  prepare(context: SessionContext): Promise<SessionParts | undefined>;
  /** The call is connected already: nothing is asked before it is taken up. Default: false. */
  readonly connected?: boolean;
  /** Turns are reported while the call goes on: of calls that last as long as real time does. Default: false. */
  readonly reportsTurns?: boolean;
  /**
   * The carrier of its line asks the platform what follows when the line is closed: it is closed after the end was reported, and another worker can go on with the
   * call. Default: false.
   */
  readonly reconnects?: boolean;
  /** What it goes on from; undefined: it begins. */
  readonly resumed?: ResumedCall | undefined;
  /** The call cannot be conducted, and has no line yet that could be ended. */
  readonly refused?: (reason: string) => void;
  /** The turns of a chat. */
  readonly chat?: Pick<ChatTurns, 'take'>;
  /** How long an answer took; of a call with sound. */
  readonly onTurn?: ((latency: TurnLatency) => void) | undefined;
  /** Follows the call, as a client on its line is shown it. */
  readonly observer?: ((state: CallState) => void) | undefined;
  /** Keeps the inputs of the call, for its replay. */
  readonly inputLog?: InputLog | undefined;
}

/** Undefined: the platform sent values that this release cannot read. */
export function readPlan({ job, log }: Pick<SessionOptions, 'job' | 'log'>): CallPlan | undefined {
  try {
    return planOf(job);
  } catch (error) {
    log.error({ err: error }, 'the configuration of a job is not readable; its call is not dialled');
    return undefined;
  }
}
