import { networkAdapters, type StreamingAdapter } from '@parley/providers';
import { simulatedAdapter } from './simulator/streaming';

/** Every adapter for calls. Offline speech (`flite`, `pocketsphinx`) is created where its programs are. */
export const streamingAdapters: readonly StreamingAdapter[] = [simulatedAdapter(), ...networkAdapters];
