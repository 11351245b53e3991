import type { RuntimeConfiguration } from '@parley/contract';
import type { LanguageModel } from '@parley/providers';
import type { CallClock } from '../session/call-clock';
import type { Components } from '../session/components';
import type { SessionContext } from '../session/session-parts';

/** The model that produces replies in a conversation. */
export interface SimulatedModel {
  readonly model: LanguageModel;
  readonly name: string | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/** The agent under test, in the state that a call would pin. */
export interface SimulatedAgent {
  readonly configuration: Pick<RuntimeConfiguration, 'publication' | 'tuning'> & Partial<RuntimeConfiguration>;
  /** @param clock the clock of the conversation, on which a simulated model waits */
  readonly modelFor: (clock: CallClock) => Promise<SimulatedModel>;
  /** The transcribers and voices of a spoken conversation. @param note receives failures of providers */
  readonly speechFor?: (clock: CallClock, note: SessionContext['note']) => Pick<Components, 'listeners' | 'voices'>;
  /** Whether the model replies without external requests, so that the times in a conversation are reproducible. */
  readonly instantModel: boolean;
}
