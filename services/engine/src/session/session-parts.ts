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
  /** Configured features that this worker does not apply. */
  readonly shortfalls: readonly Shortfall[];
}

/** What the parts of a call may request from its session. */
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
  /** Prepares the call. Nothing is dialled before this has finished. Undefined, or an error: this worker cannot conduct the call, and its record states so. */
  prepare(context: SessionContext): Promise<SessionParts | undefined>;
  /** The call is already connected: no permit is requested before it is adopted. Default: false. */
  readonly connected?: boolean;
  /** Turns are reported during the call: for calls in real time. Default: false. */
  readonly reportsTurns?: boolean;
  /**
   * The line's carrier asks the platform for further instructions when the line is closed: it is closed after the end was reported, and another worker can
   * continue the call. Default: false.
   */
  readonly reconnects?: boolean;
  /** The state that it resumes from; undefined: it begins. */
  readonly resumed?: ResumedCall | undefined;
  /** The call cannot be conducted, and has no line yet to end. */
  readonly refused?: (reason: string) => void;
  /** The turns of a chat. */
  readonly chat?: Pick<ChatTurns, 'take'>;
  /** Records the latency of an answer, on calls with audio. */
  readonly onTurn?: ((latency: TurnLatency) => void) | undefined;
  /** Observes the call, as shown to a client on its line. */
  readonly observer?: ((state: CallState) => void) | undefined;
  /** Records the inputs of the call for its replay. */
  readonly inputLog?: InputLog | undefined;
}

/** Undefined: this release cannot read the platform's values. */
export function readPlan({ job, log }: Pick<SessionOptions, 'job' | 'log'>): CallPlan | undefined {
  try {
    return planOf(job);
  } catch (error) {
    log.error({ err: error }, 'the configuration of a job is not readable; its call is not dialled');
    return undefined;
  }
}
