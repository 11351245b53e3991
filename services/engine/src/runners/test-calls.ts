import type { Logger } from '@parley/runtime';
import type { WebSocket } from 'ws';
import { BrowserLine, closeCodes } from '../lines/browser';
import { RefusedError, type Platform } from '../worker/platform';
import { NoRoomError, type Worker } from '../worker/worker';
import type { CallRunner } from './runner';

const pingMs = 15_000;
const closeMs = 2_000;
/** Anything else was never issued. */
const tokenForm = /^[\w-]{1,128}$/;

export interface TestCallsOptions {
  readonly worker: Pick<Worker, 'adopt'>;
  readonly platform: Platform;
  readonly runner: CallRunner;
  readonly log: Logger;
  /** A message of a line was unknown or malformed. */
  onIgnored(): void;
}

/** What happens to a connection from a browser: its call is adopted by its token, then conducted. */
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

/** The token is the platform's to judge; a platform that cannot, or a worker without room, leaves it good for another try. */
function isForGood(error: unknown): boolean {
  if (error instanceof NoRoomError) return false;
  return error instanceof RefusedError && [400, 404, 409].includes(error.status);
}
