import type { StreamingAdapter } from './adapter';
import * as ofAnthropic from './anthropic/adapter';
import * as ofAzure from './azure/adapter';
import { bordered } from './border';
import * as ofCartesia from './cartesia/adapter';
import * as ofDeepgram from './deepgram/adapter';
import * as ofElevenLabs from './elevenlabs/adapter';
import * as ofOpenAi from './openai/adapter';
import * as ofOpenAiCompatible from './openai_compatible/adapter';
import { presets } from './openai_compatible/presets';

export const anthropic = bordered(ofAnthropic.anthropic);
export const azure = bordered(ofAzure.azure);
export const cartesia = bordered(ofCartesia.cartesia);
export const deepgram = bordered(ofDeepgram.deepgram);
export const elevenlabs = bordered(ofElevenLabs.elevenlabs);
export const openai = bordered(ofOpenAi.openai);
export const openaiCompatible = bordered(ofOpenAiCompatible.openaiCompatible);

/** The adapters of providers that are used over a network. Each one has a folder, a line in this list and its name in the lines above; servers with OpenAI's protocol are data. */
export const networkAdapters: readonly StreamingAdapter[] = [
  openai,
  openaiCompatible,
  azure,
  anthropic,
  deepgram,
  cartesia,
  elevenlabs,
  ...presets.map(bordered),
];
