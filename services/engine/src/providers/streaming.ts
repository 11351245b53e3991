import { networkAdapters, type StreamingAdapter } from '@parley/providers';
import { simulatedAdapter } from './simulator/streaming';

/** Every adapter of calls. Offline speech (`flite`, `pocketsphinx`) is made where its programs are. */
export const streamingAdapters: readonly StreamingAdapter[] = [simulatedAdapter(), ...networkAdapters];
