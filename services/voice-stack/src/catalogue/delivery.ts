import type { DeliveryControl, DeliveryProfile, DeliveryValue } from '@parley/compilation';

/**
 * The values of delivery profiles for each kind of control, as described in docs/reference/tuning.md (AgentVoicePolish.delivery). Calls and previews use the
 * same ones.
 */
type Profiles = Readonly<Partial<Record<DeliveryProfile, DeliveryValue>>>;

/** A factor of the usual speed. */
const speedProfiles: Profiles = { natural: 1, lively: 1.1, calm: 0.9, precise: 0.95 };

/** ElevenLabs voice settings, each from 0 to 1 (speed 0.7 to 1.2). */
const voiceSettingsProfiles: Profiles = {
  natural: { stability: 0.5, similarity_boost: 0.75, style: 0, speed: 1 },
  lively: { stability: 0.3, similarity_boost: 0.75, style: 0.4, speed: 1.05 },
  calm: { stability: 0.75, similarity_boost: 0.75, style: 0, speed: 0.93 },
  precise: { stability: 0.85, similarity_boost: 0.85, style: 0, speed: 0.96 },
};

/** Instructions for models whose speaking style is set by a prompt. */
const instructionProfiles: Profiles = {
  natural: 'Speak naturally, at a conversational pace.',
  lively: 'Speak with energy and a smile, slightly faster than usual.',
  calm: 'Speak calmly and warmly, slightly slower than usual.',
  precise: 'Speak clearly and articulate every word, at an even pace.',
};

export const deliveryProfiles: Readonly<Record<DeliveryControl, Profiles>> = {
  speed: speedProfiles,
  voice_settings: voiceSettingsProfiles,
  instruction: instructionProfiles,
  unsupported: {},
};
