import type { EffectiveDelivery, EffectiveVoicePolish } from '../documents/runtime-configuration';
import { defaults } from '../limits';
import type { AgentVoicePolish } from '../objects/voice-polish';
import type { CatalogueFacts } from './catalogue-facts';
import { platformPhrases } from './platform-phrases';

export interface PolishInputs {
  readonly voicePolish: AgentVoicePolish;
  readonly language: string;
  readonly followsCaller: boolean;
  /** Whether the replies come from a published workflow. */
  readonly byWorkflow: boolean;
  /** The voices that the call can speak with, that of the starting profile first. */
  readonly voices: readonly { readonly provider: string; readonly model: string }[];
  readonly catalogue: CatalogueFacts;
}

/** Built-in tools that end or hand over the call: nothing is heard while they run (section 2.6). */
const silentTools = ['end_call', 'transfer_call'];

/** Voice polish in effect: delivery resolved at each voice, phrases of the call's language. */
export function effectiveVoicePolish(inputs: PolishInputs): EffectiveVoicePolish {
  const { voicePolish, language, followsCaller, byWorkflow } = inputs;
  const { acknowledgements, tool_wait: wait, unrecognised_speech: unrecognised } = voicePolish;
  const platform = platformPhrases(language);
  const mode = wait?.mode ?? 'off';
  return {
    delivery: { chosen: voicePolish.delivery ?? null, voices: deliveriesOf(inputs) },
    end_of_call_phrase: textOf(voicePolish.end_of_call_phrase),
    acknowledgements: {
      enabled: acknowledgements?.enabled ?? false,
      delay_ms: acknowledgements?.delay_ms ?? defaults.acknowledgementDelayMs,
      phrases: listOf(acknowledgements?.phrases, platform?.acknowledgements),
    },
    tool_wait: {
      mode,
      delay_ms: wait?.delay_ms ?? defaults.toolWaitDelayMs,
      phrases: mode === 'acknowledge' ? listOf(wait?.phrases, platform?.toolWait) : [],
      sound_seconds: defaults.toolWaitSoundSeconds,
      silent_tools: [...silentTools],
    },
    unrecognised_speech: {
      enabled: unrecognised?.enabled !== false && !followsCaller,
      max_per_call: unrecognised?.max_per_call ?? defaults.unrecognisedSpeechPerCall,
      phrase: textOf(unrecognised?.phrase) ?? platform?.unrecognisedSpeech ?? null,
    },
    // No model is waited for where the replies come from a workflow.
    model_unresponsive: {
      seconds: byWorkflow ? 0 : (voicePolish.model_unresponsive?.seconds ?? defaults.modelUnresponsiveSeconds),
    },
  };
}

/** A voice that the catalogue does not know, or that exposes no control, takes the setting and changes nothing. */
function deliveriesOf({ voicePolish, voices, catalogue }: PolishInputs): EffectiveDelivery[] {
  const distinct = new Map(voices.map((voice) => [JSON.stringify([voice.provider, voice.model]), voice]));
  return [...distinct.values()].map(({ provider, model }) => {
    const facts = catalogue.deliveryOf({ provider, model });
    const value = voicePolish.delivery === undefined ? undefined : facts?.profiles[voicePolish.delivery];
    return { provider, model, delivery_control: facts?.control ?? 'unsupported', value: value ?? null };
  });
}

const textOf = (text: string | undefined): string | null => (text === undefined || text === '' ? null : text);

function listOf(own: readonly string[] | undefined, platform: readonly string[] | undefined): string[] {
  return own !== undefined && own.length > 0 ? [...own] : [...(platform ?? [])];
}
