import type { Logger } from '@parley/runtime';
import type { WebSocket } from 'ws';
import { BrowserLine, closeCodes } from '../lines/browser';
import { RefusedError, type Platform } from '../worker/platform';
import { NoRoomError, type Worker } from '../worker/worker';
import type { CallRunner } from './runner';

const pingMs = 15_000;
const closeMs = 2_000;
/** The form of tokens that the platform issues. */
const tokenForm = /^[\w-]{1,128}$/;

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
  (socket: WebSocket, token: string, onRefused: () => void): void => {
    const line = new BrowserLine(socket, { nowMs: () => performance.now(), pingMs, closeMs, onIgnored });
    if (!tokenForm.test(token)) {
      onRefused();
      return line.refuse(closeCodes.policy);
    }
    worker
      .adopt(token, (job) => {
        const about = { job_id: job.job_id, call_id: job.call.call_id, epoch: job.epoch };
        return runner({ job, line, platform, log: log.child(about) });
      })
      .catch((error: unknown) => {
        const forGood = isForGood(error);
        if (forGood) onRefused();
        const code = forGood ? closeCodes.policy : closeCodes.tryAgain;
        log.warn({ err: error, code }, 'a media connection was refused');
        line.refuse(code);
      });
  };

/**
 * Whether the token can never become valid. Only the platform validates tokens; if it is unavailable or the worker is full, the token stays valid for another
 * attempt.
 */
function isForGood(error: unknown): boolean {
  if (error instanceof NoRoomError) return false;
  return error instanceof RefusedError && [400, 404, 409].includes(error.status);
}
