import type { Parley } from '@parley/sdk';
import type { OutputOptions } from './output.js';

export interface Common extends OutputOptions {
  profile?: string;
}

/** What every command is given. */
export interface Context {
  /** @param profile where neither an option nor the environment names one */
  readonly client: (profile?: string) => Parley;
  readonly common: () => Common;
  /** Aborted by Ctrl-C. */
  readonly stop: AbortSignal;
}
