import type { Logger } from '@parley/runtime';
import type { CallInput, ToolCall, ToolOutcome } from '../core/inputs';
import type { CallState } from '../core/state';
import type { ToolCallEntry, ToolOutcome as RanTool, ToolRunner } from '../tools/tool-call';

export interface CallToolsOptions {
  /** Undefined: the call has no tool that runs outside the core. */
  readonly runner: ToolRunner | undefined;
  readonly onEnded: (input: Extract<CallInput, { type: 'tool_ended' }>) => void;
  /** While a tool runs; see `CallClock.hold`. */
  readonly hold: () => () => void;
  readonly log: Logger;
}

/** The tools of one call that run: each call of one has a controller of its own. */
export class CallTools {
  /** How the calls of tools stand on the transcript, by their ids: without secrets. */
  readonly entries = new Map<string, ToolCallEntry>();
  private readonly running = new Map<string, AbortController>();
  /** Tools that wait for the caller to confirm them, with the caller's turns by then. */
  private readonly unconfirmed = new Map<string, number>();

  constructor(private readonly options: CallToolsOptions) {}

  call({ id, name, arguments: given }: ToolCall, state: CallState): void {
    const { runner, hold, log } = this.options;
    if (runner === undefined) return this.unavailable(id);
    const controller = new AbortController();
    this.running.set(id, controller);
    const turns = callerTurnsOf(state);
    const askedAt = this.unconfirmed.get(name);
    const confirmed = askedAt !== undefined && turns > askedAt;
    const release = hold();
    runner
      .run({ toolCallId: id, name, arguments: given, confirmed }, controller.signal)
      .then((ran) => this.ended(id, name, ran, turns))
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

  /** Resolves when the platform has every outcome, or cannot be given it. */
  settled(): Promise<void> {
    return this.options.runner?.settled() ?? Promise.resolve();
  }

  private ended(toolCallId: string, name: string, { outcome, text, entry, effect }: RanTool, turns: number): void {
    this.entries.set(toolCallId, entry);
    if (outcome === 'confirmation_required') this.unconfirmed.set(name, turns);
    else this.unconfirmed.delete(name);
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

const callerTurnsOf = ({ transcript }: CallState): number =>
  transcript.filter(({ speaker }) => speaker === 'caller').length;

function outcomeOf(outcome: RanTool['outcome']): ToolOutcome {
  if (outcome === 'succeeded' || outcome === 'already_run') return 'succeeded';
  return outcome === 'timeout' ? 'timed_out' : 'failed';
}
