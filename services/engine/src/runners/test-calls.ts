import type { Logger } from '@parley/runtime';
import type { WebSocket } from 'ws';
import { BrowserLine, closeCodes } from '../lines/browser';
import type { Platform } from '../worker/platform';
import { isForGood } from '../worker/token-check';
import type { Worker } from '../worker/worker';
import type { CallRunner } from './runner';

const pingMs = 15_000;
const closeMs = 2_000;

export interface TestCallsOptions {
  readonly worker: Pick<Worker, 'adopt'>;
  readonly platform: Platform;
  readonly runner: CallRunner;
  readonly log: Logger;
  /** Counts unknown or malformed messages of a line. */
  onIgnored(): void;
}

/** Handles a connection from a browser: the token identifies the call, which this worker adopts and conducts. */
export const testCalls =
  ({ worker, platform, runner, log, onIgnored }: TestCallsOptions) =>
  (socket: WebSocket, token: string): void => {
    const line = new BrowserLine(socket, { nowMs: () => performance.now(), pingMs, closeMs, onIgnored });
    worker
      .adopt(token, (job) => {
        const about = { job_id: job.job_id, call_id: job.call.call_id, epoch: job.epoch };
        return runner({ job, line, platform, log: log.child(about) });
      })
      .catch((error: unknown) => {
        const code = isForGood(error) ? closeCodes.policy : closeCodes.tryAgain;
        log.warn({ err: error, code }, 'a media connection was refused');
        line.refuse(code);
      });
  };
