/** The providers of components: one folder and one entry of this list for each. */
import { anthropic } from './anthropic';
import { assemblyai } from './assemblyai';
import { azure } from './azure';
import { cartesia } from './cartesia';
import { deepgram } from './deepgram';
import { elevenlabs } from './elevenlabs';
import { google } from './google';
import { openai } from './openai';
import { openaiCompatible } from './openai_compatible';
import { simulator } from './simulator';
import type { ProviderEntry } from './provider';

/**
 * In the order of the catalogue. Language lists were held against the providers' public documentation in November 2026 for Deepgram Nova-3,
 * AssemblyAI streaming, ElevenLabs Multilingual v2 and Flash v2.5 and Google Chirp 3 HD; the others are estimates: a missing language
 * blocks publishing, one too many fails at the provider. Prices are pay-as-you-go list prices of 2026;
 * a figure that is an estimate is named in `estimated`.
 */
export const providers: readonly ProviderEntry[] = [
  simulator,
  deepgram,
  assemblyai,
  openai,
  openaiCompatible,
  elevenlabs,
  cartesia,
  anthropic,
  azure,
  google,
];

export { speedProfiles, voiceSettingsProfiles } from './delivery';
export type { ProviderEntry } from './provider';
export type { InventoryProtocol, ListedVoice } from './inventory-protocol';
