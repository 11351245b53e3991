import { networkAdapters, type StreamingAdapter } from '@parley/providers';
import { simulatedAdapter } from './simulator/streaming';

/** Every adapter for calls except offline speech (`flite`, `pocketsphinx`), which is created if its programs are installed. */
export const streamingAdapters: readonly StreamingAdapter[] = [simulatedAdapter(), ...networkAdapters];
