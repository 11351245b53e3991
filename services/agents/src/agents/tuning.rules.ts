import {
  AgentOpening,
  AgentTurnTaking,
  audioPresets,
  baseLanguage,
  codePoints,
  defaultOf,
  defaultsOf,
  limits,
  resolve,
  sensitivityPresets,
  type CallTuning,
  type InvalidAudioEnvironment,
} from '@parley/contract';
import { invalidField } from '@parley/errors';
import type {
  AgentDocument,
  AnswerDetection,
  AudioEnvironment,
  Opening,
  TurnTaking,
  VoicePolish,
} from './agent-document.rules';

/** The opening with its defaults: an empty section means that the callee speaks first, after up to two seconds of silence (docs/reference/tuning.md). */
export function effectiveOpening(opening: Opening | undefined): Required<Opening> {
  return resolve(AgentOpening, opening, []);
}

/** Turn-taking as reads return it: fields with their default value are omitted; if none is left, the whole section is (docs/reference/tuning.md). */
export function visibleTurnTaking(stored: TurnTaking | undefined): Partial<TurnTaking> | undefined {
  if (stored === undefined) return undefined;
  const usual = defaultOf(AgentTurnTaking, 'interruption_sensitivity');
  const atDefault: Readonly<Record<string, unknown>> = {
    ...defaultsOf(AgentTurnTaking),
    // With any other sensitivity the same number overrides the preset, so it is not a default.
    ...((stored.interruption_sensitivity ?? usual) === usual
      ? { min_speech_ms: sensitivityPresets[usual].interruptionMs }
      : {}),
  };
  return nonEmpty(Object.entries(stored).filter(([name, value]) => atDefault[name] !== value));
}

/** The audio environment as reads return it. A stored preset that the platform no longer supports is marked as invalid (docs/reference/agents.md). */
export function visibleAudioEnvironment(
  stored: AudioEnvironment | undefined,
): AudioEnvironment | InvalidAudioEnvironment | undefined {
  if (stored === undefined || audioPresets.some((preset) => preset === stored.preset)) return stored;
  return { invalid: true, stored: { ...stored } };
}

/**
 * Voice polish as stored: null, empty sub-sections and blank texts are removed, texts are trimmed, and `unrecognised_speech` is stored only with `enabled:
 * false` (docs/reference/tuning.md).
 * @returns undefined if nothing is configured
 */
export function normaliseVoicePolish(sent: VoicePolish): VoicePolish | undefined {
  const entries = Object.entries(sent).flatMap(([name, value]: [string, unknown]) => {
    const kept = typeof value === 'object' && value !== null ? keptOfSubsection(name, value) : trimmed(value);
    return kept === undefined || kept === null || kept === '' ? [] : [[name, kept] as const];
  });
  return nonEmpty<VoicePolish>(entries);
}

function keptOfSubsection(name: string, section: object): object | undefined {
  const kept = Object.entries(section)
    .map(([field, value]: [string, unknown]) => [field, trimmed(value)] as const)
    .filter(
      ([field, value]) =>
        value !== undefined &&
        value !== null &&
        value !== '' &&
        !(name === 'unrecognised_speech' && field === 'enabled' && value === true),
    );
  return nonEmpty(kept);
}

/** A spoken text, or a list of them, without leading and trailing white space. */
function trimmed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(trimmed);
  return typeof value === 'string' ? value.trim() : value;
}

/**
 * Answer detection after a save (docs/reference/tuning.md, docs/reference/calls.md). Stores every sent value, even if it equals the default. Locales of
 * messages are reduced to their language, whitespace is collapsed, blank texts are removed. Absent messages stay as stored, null or an empty object removes
 * them, and a null section removes everything.
 */
export function answerDetectionAfter(
  stored: AnswerDetection | undefined,
  sent: AnswerDetection | null | undefined,
): AnswerDetection | undefined {
  if (sent === undefined) return stored;
  if (sent === null) return undefined;
  const { voicemail_messages: messages, ...rest } = sent;
  const kept = messages === undefined ? (stored?.voicemail_messages ?? {}) : messagesByLanguage(messages ?? {});
  if (sent.voicemail === 'leave_message' && Object.keys(kept).length === 0) {
    throw invalidField(
      'answer_detection.voicemail_messages',
      'required',
      'requires a message if voicemail is leave_message',
    );
  }
  return nonEmpty<AnswerDetection>([
    ...Object.entries(rest),
    ...(Object.keys(kept).length > 0 ? [['voicemail_messages', kept] as const] : []),
  ]);
}

function messagesByLanguage(messages: Readonly<Record<string, string>>): Record<string, string> {
  const folded = new Map<string, string>();
  for (const [key, text] of Object.entries(messages)) {
    const language = baseLanguage(key);
    const field = `answer_detection.voicemail_messages.${key}`;
    if (folded.has(language)) throw invalidField(field, 'duplicate', `contains the language ${language} twice`);
    // Checked before trimming, which removes some control characters: leading and trailing ones are refused like all others.
    const spaced = text.replace(/[\t\r\n\p{Zs}]+/gu, ' ');
    if (/\p{Cc}/u.test(spaced)) throw invalidField(field, 'format', 'must not contain control characters');
    const collapsed = spaced.trim();
    if (codePoints(collapsed) > limits.voicemailMessage.max)
      throw invalidField(field, 'too_long', `must be at most ${limits.voicemailMessage.max} characters`);
    folded.set(language, collapsed);
  }
  return Object.fromEntries([...folded].filter(([, text]) => text !== ''));
}

/** The settings that a call pins when it starts (docs/reference/agents.md). */
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
    ...(document.answers_messages === true && { answers_messages: true }),
  };
}

/** An object of the entries; undefined if there are none. */
export function nonEmpty<T extends object>(entries: readonly (readonly [string, unknown])[]): T | undefined {
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T);
}
