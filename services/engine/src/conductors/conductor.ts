import type { WorkerJob } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { BrowserLine } from '../lines/browser';
import type { Platform } from '../worker/platform';
import type { LiveCall } from '../worker/live-call';

export interface Conducting {
  readonly job: WorkerJob;
  readonly line: BrowserLine;
  readonly platform: Platform;
  readonly log: Logger;
}

/** Conducts a test call on its line, from the adoption to the completed record. */
export type Conductor = (conducting: Conducting) => LiveCall;
