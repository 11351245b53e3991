import type { RuntimeConfiguration } from '@parley/contract';
import type { LanguageModel } from '@parley/providers';
import type { CallClock } from '../session/call-clock';

/** The source of replies in a conversation. */
export interface SimulatedModel {
  readonly model: LanguageModel;
  readonly name: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The agent under test, as a call would pin it. */
export interface SimulatedAgent {
  readonly configuration: Pick<RuntimeConfiguration, 'publication' | 'tuning'> & Partial<RuntimeConfiguration>;
  /** @param clock the conversation's clock, which a simulated model waits on */
  readonly modelFor: (clock: CallClock) => Promise<SimulatedModel>;
  /** Whether the model replies without external requests: then a scenario has reproducible times. */
  readonly instantModel: boolean;
}
