import {
  audioPresets,
  codePoints,
  defaults,
  limits,
  type CallTuning,
  type InvalidAudioEnvironment,
} from '@parley/contract';
import { badRequest } from '@parley/errors';
import type {
  AgentDocument,
  AnswerDetection,
  AudioEnvironment,
  Opening,
  TurnTaking,
  VoicePolish,
} from './agent-document';

const openingDefaults = {
  first_speaker: defaults.firstSpeaker,
  silence_wait_seconds: defaults.silenceWaitSeconds,
} as const;

/** The opening with its defaults: an empty one is callee-first with two seconds of silence (section 2.6). */
export function effectiveOpening(opening: Opening | undefined): Required<Opening> {
  return { ...openingDefaults, ...opening };
}

/** Turn-taking as read: fields at their default are omitted, and with none left the whole section (section 2.6). */
export function visibleTurnTaking(stored: TurnTaking | undefined): Partial<TurnTaking> | undefined {
  if (stored === undefined) return undefined;
  const sensitivity = stored.interruption_sensitivity ?? 'balanced';
  const atDefault: Readonly<Record<string, unknown>> = {
    interruption_sensitivity: defaults.interruptionSensitivity,
    max_call_seconds: defaults.maxCallSeconds,
    no_caller_speech_seconds: defaults.noCallerSpeechSeconds,
    // Under another sensitivity the same number overrides that preset, so it is no default.
    ...(sensitivity === 'balanced' ? { min_speech_ms: 500 } : {}),
  };
  return nonEmpty(Object.entries(stored).filter(([name, value]) => atDefault[name] !== value));
}

/** The audio environment as read: a stored preset that the platform no longer has is shown as invalid (decisions section 4). */
export function visibleAudioEnvironment(
  stored: AudioEnvironment | undefined,
): AudioEnvironment | InvalidAudioEnvironment | undefined {
  if (stored === undefined || audioPresets.some((preset) => preset === stored.preset)) return stored;
  return { invalid: true, stored: { ...stored } };
}

/**
 * Voice polish as stored: null and empty sub-sections fall away, and of unrecognised_speech only `enabled: false` is kept
 * (section 2.6). Undefined when nothing is configured.
 */
export function normaliseVoicePolish(sent: VoicePolish): VoicePolish | undefined {
  const entries = Object.entries(sent).flatMap(([name, value]: [string, unknown]) => {
    const kept = typeof value === 'object' && value !== null ? keptOfSubsection(name, value) : value;
    return kept === undefined || kept === null ? [] : [[name, kept] as const];
  });
  return nonEmpty<VoicePolish>(entries);
}

function keptOfSubsection(name: string, section: object): object | undefined {
  const kept = Object.entries(section).filter(
    ([field, value]) =>
      value !== undefined &&
      value !== null &&
      !(name === 'unrecognised_speech' && field === 'enabled' && value === true),
  );
  return nonEmpty(kept);
}

/**
 * Answer detection as stored: every sent value, also one equal to its default; message locales folded to their language,
 * whitespace collapsed, blank texts removed (section 2.6, decisions section 4).
 */
export function normaliseAnswerDetection(sent: AnswerDetection): AnswerDetection | undefined {
  const { voicemail_messages: messages, ...rest } = sent;
  const kept = messages === undefined ? {} : messagesByLanguage(messages);
  if (sent.voicemail === 'leave_message' && Object.keys(kept).length === 0) {
    throw badRequest('answer_detection.voicemail_messages needs a message when voicemail is leave_message');
  }
  return nonEmpty<AnswerDetection>([
    ...Object.entries(rest),
    ...(Object.keys(kept).length > 0 ? [['voicemail_messages', kept] as const] : []),
  ]);
}

function messagesByLanguage(messages: Readonly<Record<string, string>>): Record<string, string> {
  const folded = new Map<string, string>();
  for (const [key, text] of Object.entries(messages)) {
    const language = key.toLowerCase().split(/[-_]/)[0] ?? key;
    const field = `answer_detection.voicemail_messages.${key}`;
    if (folded.has(language)) throw badRequest(`${field} repeats the language ${language}`);
    // Control characters at the ends are refused like any other: trimming, which takes some of them away, comes after.
    const spaced = text.replace(/[\t\r\n ]+/g, ' ');
    if (/\p{Cc}/u.test(spaced)) throw badRequest(`${field} must not hold control characters`);
    const collapsed = spaced.trim();
    if (codePoints(collapsed) > limits.voicemailMessage.max)
      throw badRequest(`${field} must be at most ${limits.voicemailMessage.max} characters`);
    folded.set(language, collapsed);
  }
  return Object.fromEntries([...folded].filter(([, text]) => text !== ''));
}

/** What a call pins of the agent as it stands at its start (decisions section 4). */
export function tuningOf(
  document: AgentDocument,
  navigationReason: CallTuning['navigation_ineligible_reason'],
): CallTuning {
  const { opening, turn_taking, voice_polish, answer_detection, navigation, audio_environment, tools, translation } =
    document;
  return {
    opening,
    turn_taking,
    voice_polish,
    answer_detection,
    navigation,
    navigation_ineligible_reason: navigationReason,
    audio_environment,
    tools: [...tools],
    recording_enabled: document.recording_enabled,
    translation,
  };
}

/** An object of entries, or undefined when there is none. */
export function nonEmpty<T extends object>(entries: readonly (readonly [string, unknown])[]): T | undefined {
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}
