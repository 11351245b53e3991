/**
 * Offline speech: synthesis with Flite, recognition with pocketsphinx, and audio formats. Neither needs a network or additional models. Both are meant for
 * development, tests and installations without a provider; their quality is limited.
 */
export { decodeMuLaw, encodeMuLaw } from './formats/mu-law';
export { muLawWaveHeader, muLawWaveHeaderBytes } from './formats/mu-law-wave';
export { Resampler, resampleWhole } from './formats/resampler';
export { bytesOf, readWave, waveOf, type Pcm } from './formats/wave';
export { OpusThread, type OpusFile } from './opus/opus-thread';
export { opusFileBytes } from './opus/opus-layout';
export { Pocketsphinx, recognitionSampleRate, type PocketsphinxOptions } from './recognition/pocketsphinx';
export { FliteVoice, type FliteRequest } from './synthesis/flite-voice';
export { Thoughts } from './text/thoughts';
export { SentenceCutter } from './text/sentences';
export { SpokenText } from './text/spoken-text';
