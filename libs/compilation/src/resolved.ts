import type { VoiceStackConfiguration } from '@parley/contract';
import type { Catalogue } from './catalogue';
import type { EffectiveProfile } from './profiles';
import type { Stack } from './stack';

/** The input of the individual steps of a compilation. */
export interface Resolved {
  readonly configuration: VoiceStackConfiguration;
  readonly catalogue: Catalogue;
  readonly stack: Stack;
  /** One profile per language for which the configuration is compiled. */
  readonly profiles: readonly EffectiveProfile[];
  readonly primaryLanguage: string;
}

/** Whether calls use the stack's components: the agent is hosted, and its engine consists of components. */
export function runsTheStack({ configuration, catalogue }: Resolved): boolean {
  return (
    configuration.mode === 'hosted' && catalogue.conversation_engines[configuration.voice_frontend].has_language_axis
  );
}
