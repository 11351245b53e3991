import type { DeliveryProfile, DeliveryValue, VoiceModel } from '@parley/compilation';

/**
 * The values of delivery profiles for each kind of control, as described in docs/reference/tuning.md (AgentVoicePolish.delivery). Calls and previews use the
 * same ones.
 */
type Profiles = Readonly<Record<DeliveryProfile, DeliveryValue>>;

/** A factor of the usual speed. */
export const speedProfiles: Profiles = { natural: 1, lively: 1.1, calm: 0.9, precise: 0.95 };

/** ElevenLabs voice settings, each from 0 to 1 (speed 0.7 to 1.2). */
export const voiceSettingsProfiles: Profiles = {
  natural: { stability: 0.5, similarity_boost: 0.75, style: 0, speed: 1 },
  lively: { stability: 0.3, similarity_boost: 0.75, style: 0.4, speed: 1.05 },
  calm: { stability: 0.75, similarity_boost: 0.75, style: 0, speed: 0.93 },
  precise: { stability: 0.85, similarity_boost: 0.85, style: 0, speed: 0.96 },
};

/** Instructions for models whose speaking style is set by a prompt. */
export const instructionProfiles: Profiles = {
  natural: 'Speak naturally, at a conversational pace.',
  lively: 'Speak with energy and a smile, slightly faster than usual.',
  calm: 'Speak calmly and warmly, slightly slower than usual.',
  precise: 'Speak clearly and articulate every word, at an even pace.',
};

type Entry = Omit<VoiceModel, 'delivery_control' | 'delivery_profiles' | 'default_voice_id'> & {
  default_voice_id?: string;
};

export const bySpeed = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'speed',
  delivery_profiles: speedProfiles,
});
export const bySettings = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'voice_settings',
  delivery_profiles: voiceSettingsProfiles,
});
export const byInstruction = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'instruction',
  delivery_profiles: instructionProfiles,
});
export const fixed = (entry: Entry): VoiceModel => ({
  default_voice_id: null,
  ...entry,
  delivery_control: 'unsupported',
  delivery_profiles: {},
});
