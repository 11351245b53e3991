import type { VoiceStackConfiguration } from '@parley/contract';
import { badRequest } from '@parley/errors';
import {
  chooseVoice,
  componentKey,
  covers,
  type Catalogue,
  type DeliveryProfile,
  type DeliveryValue,
} from '@parley/compilation';

export interface PreviewRequest {
  /** Null: the platform's default. */
  readonly voice: VoiceStackConfiguration['voice'];
  /** Empty: whatever the voice has. */
  readonly language: string;
  /** Empty: as the voice speaks by itself. */
  readonly delivery: DeliveryProfile | '';
}

/** A voice of the catalogue with everything that a synthesis needs. */
export interface PreviewVoice {
  readonly provider: string;
  readonly model: string;
  readonly voiceId: string;
  readonly delivery: DeliveryValue | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The voice that a preview is heard in. A delivery is mapped as for calls (docs/reference/tuning.md): to what the voice's control makes of it, and
 * to nothing where it exposes none.
 * @throws AppError BadRequestError naming voice or language
 */
export function previewVoice(catalogue: Catalogue, { voice, language, delivery }: PreviewRequest): PreviewVoice {
  const { selection, found, voiceId } = chooseVoice(voice, catalogue);
  if (found === undefined) throw badRequest(`voice is not in the catalogue: ${componentKey(selection)}`);
  if (voiceId === '') throw badRequest(`voice.voice_id is required: ${componentKey(selection)} has no default voice`);
  if (language !== '' && !covers(found.entry.languages, language))
    throw badRequest(`language ${language} is not one of ${componentKey(selection)}`);
  return {
    provider: selection.provider,
    model: selection.model,
    voiceId,
    delivery: delivery === '' ? undefined : found.entry.delivery_profiles[delivery],
    options: selection.options ?? {},
  };
}
