import type { CallChannel, CallDirection } from '../objects/call';
import {
  byRule,
  EffectiveTuning,
  type EffectiveAnswerDetection,
  type EffectiveLanguage,
  type EffectiveNavigation,
  type EffectiveOpening,
} from '../documents/effective-tuning';
import type { CallTuning } from '../documents/runtime-configuration';
import type { Publication, PublishedProfile } from '../documents/voice-stack-configuration';
import { settingsOfAgents } from '../objects/agent-settings';
import { AgentAnswerDetection } from '../objects/answer-detection';
import { AgentAudioEnvironment, audioPresets } from '../objects/audio-environment';
import { AgentNavigation, reservedToolNames } from '../objects/navigation';
import { AgentOpening } from '../objects/opening';
import { isObject } from '../rules/constraints';
import { baseLanguage, profileOf } from '../rules/language-code';
import { defaultOf, resolve } from '../rules/resolved';
import { validate } from '../rules/validate';
import { answerDetectionModes } from './answer-detection';
import type { CatalogueFacts } from './catalogue-facts';
import { effectiveTurns, fillersIn } from './turns';
import { effectiveVoicePolish, phrasesIn } from './voice-polish';

/** The parts of a publication that determine effective values. */
export type PublicationFacts = Pick<
  Publication,
  | 'voice_frontend'
  | 'language'
  | 'starting_language'
  | 'follow_caller'
  | 'profiles'
  | 'first_message'
  | 'transcriber'
  | 'voice'
>;

/** All inputs that determine the effective values of a call. */
export interface EffectiveInputs {
  /** The tuning also applies to test calls, with the exceptions in docs/reference/tuning.md. */
  readonly channel: CallChannel;
  readonly direction: CallDirection;
  /** Whether the platform conducts the conversation, that is, the mode is `hosted`. */
  readonly hosted: boolean;
  /** The language in which the call was placed, such as `en-US`; empty: the publication's language. */
  readonly language: string;
  readonly publication: PublicationFacts;
  readonly tuning: Omit<CallTuning, 'tools' | 'recording_enabled'>;
  readonly catalogue: CatalogueFacts;
}

/** Resolves all presets, defaults and minimum values of docs/reference/tuning.md for one call. Pure: equal inputs give equal values. */
export function effectiveTuning(inputs: EffectiveInputs): EffectiveTuning {
  const { channel, direction, hosted, publication, tuning, catalogue } = inputs;
  const profile = startingProfile(publication, inputs.language);
  const language = inputs.language === '' ? profile.locale : inputs.language;
  const runsComponents = hosted && catalogue.hasComponents(publication.voice_frontend);
  const outboundPhone = channel === 'phone' && direction === 'outbound';
  const follows = publication.follow_caller?.enabled === true;
  return {
    profile,
    languages: follows ? publication.profiles.map(({ locale }) => textsIn(locale, inputs)) : [],
    ...openingOf(outboundPhone, tuning.opening ?? {}),
    ...effectiveTurns({
      channel,
      hosted,
      language,
      wordsArriveFast: runsComponents && catalogue.wordsArriveFast(profile.transcriber),
      turnTaking: tuning.turn_taking ?? {},
    }),
    voice_polish: effectiveVoicePolish({
      voicePolish: tuning.voice_polish ?? {},
      language,
      byWorkflow: tuning.workflow !== undefined,
      followsCaller: follows,
      voices: runsComponents ? voicesOf(profile, publication) : [],
      catalogue,
    }),
    answer_detection: answerDetectionOf(tuning.answer_detection ?? {}, language),
    navigation: navigationOf(outboundPhone, tuning),
    audio_environment: audioEnvironmentOf(tuning.audio_environment ?? {}),
    keys: { ...settingsOfAgents.keys.defaults, ...tuning.settings?.keys },
  };
}

/** The voices that the call may use: those of its starting profile and of its other languages, and the fallbacks of the shared voice. */
const voicesOf = ({ voice: first }: PublishedProfile, { profiles, voice }: PublicationFacts) => [
  first,
  ...profiles.map((profile) => profile.voice),
  ...(voice.fallbacks ?? []),
];

/** The texts of a call that depend on its current language. */
function textsIn(locale: string, { hosted, tuning }: EffectiveInputs): EffectiveLanguage {
  const { acknowledgements, toolWait } = phrasesIn(locale, tuning.voice_polish ?? {});
  return {
    locale,
    acknowledgement_phrases: acknowledgements,
    tool_wait_phrases: toolWait,
    filler_words: fillersIn(locale, hosted),
    voicemail_message: voicemailMessageIn(locale, tuning.answer_detection ?? {}),
  };
}

/**
 * The profile of the call's language, matched exactly or by its base language; otherwise the publication's starting profile, otherwise only the shared stack. A
 * profile without a greeting gets the shared first message.
 */
function startingProfile(publication: PublicationFacts, language: string): PublishedProfile {
  const { profiles, starting_language, first_message: firstMessage, transcriber, voice } = publication;
  const fallback = starting_language ?? publication.language;
  const found = (language === '' ? undefined : profileOf(profiles, language)) ?? profileOf(profiles, fallback);
  if (found !== undefined) return { ...found, greeting: found.greeting ?? firstMessage };
  return {
    locale: fallback,
    greeting: firstMessage,
    transcriber: { provider: transcriber.provider, model: transcriber.model },
    voice: { provider: voice.provider, model: voice.model, voice_id: voice.voice_id ?? '' },
  };
}

/** The opening settings apply only to outbound phone calls; on all other calls the agent speaks first. */
function openingOf(outboundPhone: boolean, opening: AgentOpening): EffectiveOpening {
  return { ...resolve(AgentOpening, opening, []), ...(outboundPhone ? {} : { first_speaker: 'agent' }) };
}

function answerDetectionOf(stored: AgentAnswerDetection, language: string): EffectiveAnswerDetection {
  return {
    ...resolve(AgentAnswerDetection, stored, byRule.answerDetection),
    voicemail: answerDetectionModes(stored).voicemail,
    voicemail_message: voicemailMessageIn(language, stored),
  };
}

/** The message for a language; the stored keys are base languages. */
const voicemailMessageIn = (language: string, { voicemail_messages: messages }: AgentAnswerDetection): string | null =>
  messages?.[baseLanguage(language)] ?? null;

function navigationOf(outboundPhone: boolean, tuning: EffectiveInputs['tuning']): EffectiveNavigation {
  const { navigation, navigation_ineligible_reason: reason } = tuning;
  const active = outboundPhone && navigation?.enabled !== false && (reason ?? null) === null;
  return {
    ...resolve(AgentNavigation, navigation, byRule.navigation),
    active,
    tools: active ? [...reservedToolNames] : [],
  };
}

/** A stored preset that no longer exists is treated as `none`. */
function audioEnvironmentOf({ preset, volume }: AgentAudioEnvironment): EffectiveTuning['audio_environment'] {
  const known = audioPresets.find((name) => name === preset) ?? 'none';
  return { preset: known, volume: known === 'none' ? 0 : (volume ?? defaultOf(AgentAudioEnvironment, 'volume')) };
}

/** The values of an agent without tuning on a call that does not navigate: the defaults for everything that a job omits. */
const baseline = effectiveTuning({
  channel: 'phone',
  direction: 'outbound',
  hosted: true,
  language: '',
  publication: {
    voice_frontend: 'cascade',
    language: '',
    starting_language: null,
    follow_caller: null,
    profiles: [],
    first_message: null,
    transcriber: { provider: '', model: '' },
    voice: { provider: '', model: '', voice_id: '' },
  },
  tuning: { navigation_ineligible_reason: 'turned_off' },
  catalogue: { hasComponents: () => false, wordsArriveFast: () => false, deliveryOf: () => undefined },
});

/**
 * The effective values of a claimed job. Worker and platform may be of different releases: absent values are taken from the baseline, and names unknown to this
 * release are ignored.
 * @throws AppError BadRequestError if a value has another type than its class declares
 */
export function readEffectiveTuning(sent: unknown): EffectiveTuning {
  return validate(EffectiveTuning, completed(baseline, sent ?? {}), { unknown: 'ignore', path: 'effective' }).value;
}

function completed(standing: unknown, sent: unknown): unknown {
  if (sent === undefined) return standing;
  if (!isObject(standing) || !isObject(sent)) return sent;
  const names = Object.keys({ ...standing, ...sent });
  return Object.fromEntries(names.map((name) => [name, completed(standing[name], sent[name])]));
}
