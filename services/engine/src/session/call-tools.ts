import type { Logger } from '@parley/runtime';
import { confirmationMs, isConfirmed, pendingSince, type PendingConfirmation } from '../core/confirmation';
import type { CallInput, ToolCall, ToolOutcome } from '../core/inputs';
import type { CallState } from '../core/state';
import type { ToolCallEntry, ToolOutcome as RanTool, ToolRunner } from '../tools/tool-call';

export interface CallToolsOptions {
  /** Undefined if the call has no tools that run outside the core. */
  readonly runner: ToolRunner | undefined;
  readonly onEnded: (input: Extract<CallInput, { type: 'tool_ended' }>) => void;
  /** Used while a tool runs; see `CallClock.hold`. */
  readonly hold: () => () => void;
  /** How long a confirmation of an irreversible tool is accepted. Default: that of a spoken conversation. */
  readonly confirmationMs?: number | undefined;
  readonly log: Logger;
}

type Conversation = Pick<CallState, 'now' | 'language' | 'transcript'>;

/** The running tools of one call. Each tool call has its own abort controller. */
export class CallTools {
  /** Entries of the transcript for tool calls, by id, without secrets. */
  readonly entries = new Map<string, ToolCallEntry>();
  private readonly running = new Map<string, AbortController>();
  /** Tool calls that wait for the caller's confirmation, by tool and arguments. */
  private readonly unconfirmed = new Map<string, PendingConfirmation>();

  constructor(private readonly options: CallToolsOptions) {}

  call({ id, name, arguments: given }: ToolCall, state: Conversation): void {
    const { runner, hold, log } = this.options;
    if (runner === undefined) return this.unavailable(id);
    const controller = new AbortController();
    this.running.set(id, controller);
    const act = actOf(name, given);
    const pending = this.unconfirmed.get(act);
    const within = this.options.confirmationMs ?? confirmationMs.spoken;
    const confirmed = pending !== undefined && isConfirmed(pending, state, within);
    // A call that is not confirmed asks again, whatever was pending.
    const asked = pendingSince(state);
    const release = hold();
    runner
      .run({ toolCallId: id, name, arguments: given, confirmed }, controller.signal)
      .then((ran) => this.ended(id, act, ran, asked))
      .catch((error: unknown) => {
        log.error({ err: error, tool: name }, 'a tool could not be run');
        this.unavailable(id);
      })
      .finally(() => {
        this.running.delete(id);
        release();
      });
  }

  cancel(id: string): void {
    this.running.get(id)?.abort();
  }

  end(): void {
    for (const controller of this.running.values()) controller.abort();
  }

  /** Resolves when the platform has received every outcome, or cannot receive it. */
  settled(): Promise<void> {
    return this.options.runner?.settled() ?? Promise.resolve();
  }

  private ended(
    toolCallId: string,
    act: string,
    { outcome, text, entry, effect }: RanTool,
    asked: PendingConfirmation,
  ): void {
    this.entries.set(toolCallId, entry);
    if (outcome === 'confirmation_required') this.unconfirmed.set(act, asked);
    else this.unconfirmed.delete(act);
    this.options.onEnded({
      type: 'tool_ended',
      toolCallId,
      outcome: effect?.type === 'transferred' ? 'transferred' : outcomeOf(outcome),
      result: text,
    });
  }

  private unavailable(toolCallId: string): void {
    const result = 'the tool is not available';
    queueMicrotask(() => this.options.onEnded({ type: 'tool_ended', toolCallId, outcome: 'failed', result }));
  }
}

/** A key that is equal for equal arguments, whatever their order. */
function actOf(name: string, given: string): string {
  try {
    return `${name} ${JSON.stringify(ordered(JSON.parse(given)))}`;
  } catch {
    return `${name} ${given}`;
  }
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, ordered(one)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function outcomeOf(outcome: RanTool['outcome']): ToolOutcome {
  if (outcome === 'succeeded' || outcome === 'already_run') return 'succeeded';
  return outcome === 'timeout' ? 'timed_out' : 'failed';
}
