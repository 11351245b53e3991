import type { VoiceStackConfiguration } from '@parley/contract';
import type { Catalogue } from './catalogue';
import type { EffectiveProfile } from './profiles';
import type { Stack } from './stack';

/** What the parts of a compilation look at. */
export interface Resolved {
  readonly configuration: VoiceStackConfiguration;
  readonly catalogue: Catalogue;
  readonly stack: Stack;
  /** One for each language it is compiled for. */
  readonly profiles: readonly EffectiveProfile[];
  readonly primaryLanguage: string;
}

/** Whether a call runs on the stack's components: hosted, on an engine that is made of them. */
export function runsTheStack({ configuration, catalogue }: Resolved): boolean {
  return (
    configuration.mode === 'hosted' && catalogue.conversation_engines[configuration.voice_frontend].has_language_axis
  );
}
