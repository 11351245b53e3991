import { byRule, type EffectiveDelivery, type EffectiveVoicePolish } from '../documents/effective-tuning';
import { defaults } from '../limits';
import {
  AgentAcknowledgements,
  AgentModelUnresponsive,
  AgentToolWait,
  AgentUnrecognisedSpeech,
  type AgentVoicePolish,
} from '../objects/voice-polish';
import { baseLanguage } from '../rules/language-code';
import { resolve } from '../rules/resolved';
import type { CatalogueFacts } from './catalogue-facts';
import phrasesByLanguage from './platform-phrases.json';

/** The platform's phrases for agents that have none (docs/reference/tuning.md). */
interface PlatformPhrases {
  readonly acknowledgements: readonly string[];
  readonly toolWait: readonly string[];
  readonly unrecognisedSpeech: string;
}
const platformPhrases: Readonly<Record<string, PlatformPhrases>> = phrasesByLanguage;

export interface PolishInputs {
  readonly voicePolish: AgentVoicePolish;
  readonly language: string;
  readonly followsCaller: boolean;
  /** Whether a published workflow generates the replies. */
  readonly byWorkflow: boolean;
  /** The voices that the call may use, starting with that of the starting profile. */
  readonly voices: readonly { readonly provider: string; readonly model: string }[];
  readonly catalogue: CatalogueFacts;
}

/** Built-in tools that end or transfer the call: no waiting sound or phrase is played while they run (docs/reference/tuning.md). */
const silentTools = ['end_call', 'transfer_call'];

/** The effective voice polish: deliveries resolved for each voice, and the phrases of the call's language. */
export function effectiveVoicePolish(inputs: PolishInputs): EffectiveVoicePolish {
  const { voicePolish, language, followsCaller, byWorkflow } = inputs;
  const { acknowledgements, tool_wait: wait, unrecognised_speech: unrecognised } = voicePolish;
  const platform = platformPhrases[baseLanguage(language)];
  const phrases = phrasesIn(language, voicePolish);
  const toolWait = resolve(AgentToolWait, wait, byRule.toolWait);
  return {
    delivery: { chosen: voicePolish.delivery ?? null, voices: deliveriesOf(inputs) },
    end_of_call_phrase: textOf(voicePolish.end_of_call_phrase),
    acknowledgements: {
      ...resolve(AgentAcknowledgements, acknowledgements, byRule.acknowledgements),
      phrases: phrases.acknowledgements,
    },
    tool_wait: {
      ...toolWait,
      phrases: phrases.toolWait,
      sound_seconds: defaults.toolWaitSoundSeconds,
      silent_tools: [...silentTools],
    },
    unrecognised_speech: {
      ...resolve(AgentUnrecognisedSpeech, unrecognised, byRule.unrecognisedSpeech),
      enabled: unrecognised?.enabled !== false && !followsCaller,
      phrase: textOf(unrecognised?.phrase) ?? platform?.unrecognisedSpeech ?? null,
    },
    model_unresponsive: {
      ...resolve(AgentModelUnresponsive, voicePolish.model_unresponsive, []),
      // With a workflow, there is no model that could be unresponsive.
      ...(byWorkflow ? { seconds: 0 } : {}),
    },
  };
}

interface SpokenPhrases {
  readonly acknowledgements: string[];
  readonly toolWait: string[];
}

/** The agent's own phrases, which apply to all languages; otherwise the platform's, if it has some in the language. */
export function phrasesIn(language: string, { acknowledgements, tool_wait: wait }: AgentVoicePolish): SpokenPhrases {
  const platform = platformPhrases[baseLanguage(language)];
  const says = resolve(AgentToolWait, wait, byRule.toolWait).mode === 'acknowledge';
  return {
    acknowledgements: listOf(acknowledgements?.phrases, platform?.acknowledgements),
    toolWait: says ? listOf(wait?.phrases, platform?.toolWait) : [],
  };
}

/** The delivery for each voice. If the catalogue does not contain the voice, or the voice has no control for it, the delivery has no effect. */
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
