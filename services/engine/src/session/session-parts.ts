import type { WorkerJob } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { CallInput, ModelInput } from '../core/inputs';
import { type CallPlan, planOf } from '../core/plan';
import type { Shortfall } from '../core/problems';
import type { ResumedCall } from '../core/state';
import type { CallState } from '../core/state';
import type { TurnLatency } from '../core/transcript';
import type { InputLog } from '../replay/input-log';
import type { Platform } from '../worker/platform';
import type { CallClock } from './call-clock';
import type { CallLine } from './call-line';
import type { CallTools } from './call-tools';
import type { ChatTurns } from './chat-turns';
import type { Replies } from './replies';

/** The parts with which a session conducts a call. */
export interface SessionParts {
  readonly line: CallLine;
  readonly replies: Replies;
  readonly tools: CallTools;
  /** Configured features that this worker does not apply. */
  readonly shortfalls: readonly Shortfall[];
}

/** What the parts of a call may use of its session. */
export interface SessionContext {
  readonly plan: CallPlan;
  onModelInput(input: ModelInput): void;
  onToolEnded(input: Extract<CallInput, { type: 'tool_ended' }>): void;
  note(problem: Shortfall): void;
  /** Resolves when the platform has every report that was sent so far. */
  reported(): Promise<unknown>;
}

export interface SessionOptions {
  readonly job: WorkerJob;
  readonly platform: Platform;
  readonly clock: CallClock;
  readonly log: Logger;
  /**
   * Prepares the call. Nothing is dialed before this has finished. If the result is undefined or an error, this worker cannot conduct the call, and the call's
   * record states so.
   */
  prepare(context: SessionContext): Promise<SessionParts | undefined>;
  /** Whether the call is already connected, so that no permit is requested. Default: false. */
  readonly connected?: boolean;
  /** Whether turns are reported during the call, as for calls in real time. Default: false. */
  readonly reportsTurns?: boolean;
  /**
   * Whether the line's carrier requests further instructions from the platform when the line is closed. The line is then closed only after the end was
   * reported, and another worker can continue the call. Default: false.
   */
  readonly reconnects?: boolean;
  /** The state from which the call resumes; undefined if it is new. */
  readonly resumed?: ResumedCall | undefined;
  /** Called if the call cannot be conducted and has no line yet that could be ended. */
  readonly refused?: (reason: string) => void;
  /** Present in a chat: its turns. */
  readonly chat?: Pick<ChatTurns, 'take'>;
  /** Records the latency of each reply; used for calls with audio. */
  readonly onTurn?: ((latency: TurnLatency) => void) | undefined;
  /** Called with each new state, for a client that displays the call. */
  readonly observer?: ((state: CallState) => void) | undefined;
  /** Records the inputs of the call for its replay. */
  readonly inputLog?: InputLog | undefined;
}

/** @returns undefined if this release cannot read the platform's values */
export function readPlan({ job, log }: Pick<SessionOptions, 'job' | 'log'>): CallPlan | undefined {
  try {
    return planOf(job);
  } catch (error) {
    log.error({ err: error }, 'the configuration of a job is invalid; its call is not dialed');
    return undefined;
  }
}
