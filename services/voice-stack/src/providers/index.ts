/** The providers of components. Each one has a folder and an entry in this list. */
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
 * In the order of the catalogue. In November 2026 the language lists of Deepgram Nova-3, AssemblyAI streaming, ElevenLabs Multilingual v2 and Flash v2.5, and
 * Google Chirp 3 HD were compared with the providers' public documentation; the others are estimates. If a list lacks a language, publishing with it is
 * blocked; if it has one too many, calls fail at the provider. Prices are pay-as-you-go list prices of 2026; `estimated` names the figures that are estimates.
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
