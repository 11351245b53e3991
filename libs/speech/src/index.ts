/**
 * Sound, offline: synthesis with Flite, recognition with pocketsphinx, and the formats in between. Neither needs a network nor a model of
 * its own to be fetched; both are for development, tests and installations that have no provider, not for their quality.
 */
export { decodeMuLaw, encodeMuLaw } from './formats/mu-law';
export { muLawWaveHeader, muLawWaveHeaderBytes } from './formats/mu-law-wave';
export { Resampler, resampleWhole } from './formats/resampler';
export { bytesOf, readWave, waveOf, type Pcm } from './formats/wave';
export { OpusThread, type OpusFile } from './opus/opus-thread';
export { opusFileBytes } from './opus/opus-layout';
export { Pocketsphinx, recognitionSampleRate, type PocketsphinxOptions } from './recognition/pocketsphinx';
export { FliteVoice, type FliteRequest } from './synthesis/flite-voice';
