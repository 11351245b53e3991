import type { AgentTool, EffectiveTuning, EndedReason } from '@parley/contract';
import type { LanguageModel } from '@parley/providers';

/** How the callee is to be beyond what it says. `noise` needs sound, which a line of text has not. */
export const conditions = ['interruptions', 'voicemail', 'menu', 'silence', 'noise'] as const;
export type Condition = (typeof conditions)[number];

/** What is held against a simulated conversation. Texts are compared without regard to case. */
export type Assertion =
  | { readonly type: 'said' | 'not_said'; readonly by?: 'agent' | 'callee'; readonly text: string }
  | { readonly type: 'said_exactly'; readonly by?: 'agent' | 'callee'; readonly text: string }
  | { readonly type: 'said_matching'; readonly by?: 'agent' | 'callee'; readonly pattern: string }
  | { readonly type: 'tool_called'; readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> }
  | { readonly type: 'tool_not_called'; readonly name: string }
  | { readonly type: 'ended_reason'; readonly is: EndedReason }
  | { readonly type: 'turns_at_most'; readonly turns: number }
  | { readonly type: 'latency_at_most'; readonly ms: number };

/** What a tool returns in place of being run. */
export interface ToolStub {
  readonly result: unknown;
  /** Default: succeeded. */
  readonly outcome?: 'succeeded' | 'failed' | 'timeout';
}

export interface Scenario {
  readonly name: string;
  /** What the callee says, turn by turn; after the last one it hangs up. */
  readonly turns: readonly string[];
  readonly conditions?: readonly Condition[];
  readonly language?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly assertions: readonly Assertion[];
  /** By the tool's name. A tool without one fails; none is ever run. */
  readonly stubs?: Readonly<Record<string, ToolStub>>;
}

/** The agent that is tried, as a call would pin it. */
export interface SimulatedAgent {
  readonly systemPrompt: string;
  readonly firstMessage: string;
  readonly language: string;
  readonly tools?: readonly AgentTool[];
  /** Default: those of the platform. */
  readonly effective?: Partial<EffectiveTuning>;
  readonly model: LanguageModel;
  readonly modelName?: string;
  readonly modelOptions?: Readonly<Record<string, unknown>>;
}

/** A suite is well formed and cannot run as asked. */
export class SimulationError extends Error {
  override readonly name = 'SimulationError';

  constructor(
    readonly scenario: string,
    readonly reason: string,
  ) {
    super(`${scenario}: ${reason}`);
  }
}
