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
  /** Null for the platform's default voice. */
  readonly voice: VoiceStackConfiguration['voice'];
  /** Empty: the account of the platform or a standby credential. */
  readonly credentialId?: string;
  /** Empty for the voice's own language. */
  readonly language: string;
  /** Empty for the voice's usual delivery. */
  readonly delivery: DeliveryProfile | '';
}

/** A voice of the catalogue with all parameters of a synthesis. */
export interface PreviewVoice {
  readonly provider: string;
  readonly model: string;
  readonly voiceId: string;
  readonly delivery: DeliveryValue | undefined;
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The voice of a preview. The delivery is mapped as for calls (docs/reference/tuning.md): to a value of the voice's control, or ignored if the voice has no
 * such control.
 * @throws AppError BadRequestError naming voice or language
 */
export function previewVoice(catalogue: Catalogue, request: PreviewRequest): PreviewVoice {
  const { voice, credentialId = '', language, delivery } = request;
  const { selection, found, voiceId } = chooseVoice(voice, catalogue);
  if (found === undefined) throw badRequest(`voice is not in the catalogue: ${componentKey(selection)}`);
  if (!found.listed && credentialId === '')
    throw badRequest(`component_credential_id is required: ${componentKey(selection)} is not in the catalogue`);
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
