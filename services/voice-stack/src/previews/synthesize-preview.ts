import { badRequest } from '@parley/errors';
import type { Catalogue } from '@parley/compilation';
import { previewVoice, type PreviewRequest } from './preview.rules';
import type { Synthesizers } from './speech-synthesizer';

/**
 * POST /v1/voice-previews: a text spoken by the adapter of the voice's provider, as RIFF WAVE.
 * @throws AppError BadRequestError naming voice, language or text; rate_limited; internal_error
 */
export async function synthesizePreview(
  catalogue: Catalogue,
  synthesizers: Synthesizers,
  request: PreviewRequest & { readonly text: string; readonly owner: string },
): Promise<Buffer> {
  const voice = previewVoice(catalogue, request);
  const synthesizer = synthesizers.get(voice.provider);
  if (synthesizer === undefined)
    throw badRequest(`voice of ${voice.provider} cannot be heard here: previews have no account of this provider`);
  return synthesizer.synthesize({ ...voice, owner: request.owner, text: request.text, language: request.language });
}
