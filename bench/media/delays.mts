/** The latencies of the simulated providers, which are subtracted from the time between the caller's last and the agent's first audio. */

/** From the end of speech in the audio to the final transcript. */
export const finalTranscriptMs = 300;
/** From the request to the model's first token, and from one token to the next. */
export const firstTokenMs = 450;
export const tokenMs = 15;
/** From the request for a sentence to its first audio. The rest arrives faster than real time. */
export const firstAudioMs = 90;
export const audioChunkMs = 160;
export const audioChunkEveryMs = 40;

/** Every reply begins with a sentence of this many tokens. It is synthesized sentence by sentence. */
export const openerTokens = 4;

/** From the end of speech to the first audio of the reply, with providers that are exactly on time and an engine that needs no time. */
export const providerMs = finalTranscriptMs + firstTokenMs + (openerTokens - 1) * tokenMs + firstAudioMs;

/** Silence after the caller's last voice that ends the turn: a rule of the engine, not of a provider. */
export const holdMs = 600;
/** How long the caller has to speak to stop the agent. */
export const interruptionMs = 500;
