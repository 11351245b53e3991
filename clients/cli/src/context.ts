import type { Parley } from '@parley/sdk';
import type { OutputOptions } from './output.js';

export interface Common extends OutputOptions {
  profile?: string;
}

/** Passed to every command. */
export interface Context {
  /** @param profile The profile to use if neither an option nor the environment names one. */
  readonly client: (profile?: string) => Parley;
  readonly common: () => Common;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
}
