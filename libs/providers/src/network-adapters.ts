import type { StreamingAdapter } from './adapter';
import { anthropic } from './anthropic/adapter';
import { azure } from './azure/adapter';
import { cartesia } from './cartesia/adapter';
import { deepgram } from './deepgram/adapter';
import { elevenlabs } from './elevenlabs/adapter';
import { openai } from './openai/adapter';
import { openaiCompatible } from './openai_compatible/adapter';

export { anthropic, azure, cartesia, deepgram, elevenlabs, openai, openaiCompatible };

/** The adapters of providers that are used over a network. Each one has a folder, a line in this list and its name in the line above. */
export const networkAdapters: readonly StreamingAdapter[] = [
  openai,
  openaiCompatible,
  azure,
  anthropic,
  deepgram,
  cartesia,
  elevenlabs,
];
