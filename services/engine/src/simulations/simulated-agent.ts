import type { RuntimeConfiguration } from '@parley/contract';
import type { LanguageModel } from '@parley/providers';
import type { CallClock } from '../session/call-clock';

/** What thinks in a conversation. */
export interface SimulatedModel {
  readonly model: LanguageModel;
  readonly name: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The agent that is tried, as a call would pin it. */
export interface SimulatedAgent {
  readonly configuration: Pick<RuntimeConfiguration, 'publication' | 'tuning'> & Partial<RuntimeConfiguration>;
  /** @param clock of the conversation: a simulated model waits on it */
  readonly modelFor: (clock: CallClock) => Promise<SimulatedModel>;
  /** Whether the model replies without waiting for anything outside: then the same scenario gives the same times. */
  readonly instantModel: boolean;
}
