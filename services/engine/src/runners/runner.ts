import type { WorkerJob } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { BrowserLine } from '../lines/browser';
import type { Platform } from '../worker/platform';
import type { LiveCall } from '../worker/live-call';

export interface CallOnLine<L = BrowserLine> {
  readonly job: WorkerJob;
  readonly line: L;
  readonly platform: Platform;
  readonly log: Logger;
}

/** Conducts a call on its line, from its adoption to its completion. */
export type CallRunner<L = BrowserLine> = (call: CallOnLine<L>) => LiveCall;
