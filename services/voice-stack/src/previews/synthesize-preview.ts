import type { Catalogue } from '@parley/compilation';
import { runsInCalls } from '@parley/contract';
import { badRequest } from '@parley/errors';
import type { OutgoingContext } from '@parley/runtime';
import type { ProviderAccounts } from '../accounts';
import type { AccountVoices } from './account-voices';
import { previewVoice, type PreviewRequest } from './preview.rules';
import type { OfflineVoice, SynthesizerOf } from './speech-request';

/** What synthesizes previews. */
export interface Speakers {
  /** Used for the simulator. */
  readonly offline: OfflineVoice;
  readonly voices: AccountVoices;
  readonly accounts: ProviderAccounts;
  readonly synthesizerOf: SynthesizerOf;
}

export interface Preview extends PreviewRequest {
  readonly text: string;
  readonly owner: string;
  readonly organizationId: string;
  /** Empty: the installation's account. */
  readonly credentialId: string;
}

/**
 * POST /v1/voice-previews: returns a text as RIFF WAVE, synthesized by the adapter of the voice's provider with the named credential or the
 * installation's account.
 * @throws AppError BadRequestError naming voice, language or text; rate_limited; internal_error
 */
export async function synthesizePreview(
  catalogue: Catalogue,
  { offline, voices, accounts, synthesizerOf }: Speakers,
  { text, owner, organizationId, credentialId, ...request }: Preview,
  context: OutgoingContext,
): Promise<Buffer> {
  const { provider, ...voice } = previewVoice(catalogue, { ...request, credentialId });
  const speech = { ...voice, owner, text, language: request.language };
  if (provider === 'simulator') return offline.synthesize(speech);
  if (!runsInCalls(provider, 'tts'))
    throw badRequest(`voice of ${provider} cannot be previewed: there is no adapter for it`);
  const account = await accounts.open({ organizationId, provider, credentialId, purpose: 'preview' }, context);
  const synthesizer = account && synthesizerOf(provider, account);
  if (synthesizer === undefined)
    throw badRequest(`voice of ${provider} cannot be previewed: bind or name a component credential of kind tts`);
  return voices.synthesize(synthesizer, speech);
}
