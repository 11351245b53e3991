import type { Logger } from '@parley/runtime';
import type { WebSocket } from 'ws';
import type { CallRunner } from '../runners/runner';
import type { ConnectedLine } from '../lines/connected-line';
import type { OpenStream } from '../lines/streams';
import type { Platform } from './platform';
import type { Worker } from './worker';

export interface AdoptedLinesOptions {
  readonly worker: Pick<Worker, 'adopt'>;
  readonly platform: Platform;
  readonly runner: CallRunner<ConnectedLine>;
  /** The streams by name of the carrier. */
  readonly streams: Readonly<Record<string, OpenStream>>;
  readonly log: Logger;
}

export type TakeStream = (socket: WebSocket, onToken: () => void, query: URLSearchParams) => void;

/**
 * Handles a stream of a carrier: the token identifies the call, which this worker adopts and conducts. A stream whose call cannot be adopted is closed, and the
 * carrier then requests further instructions from the platform.
 */
export function adoptedLines({
  worker,
  platform,
  runner,
  streams,
  log,
}: AdoptedLinesOptions): ReadonlyMap<string, TakeStream> {
  const take = (line: ConnectedLine, token: string, onToken: () => void): void => {
    onToken();
    worker
      .adopt(token, (job) => {
        const about = { job_id: job.job_id, call_id: job.call.call_id, epoch: job.epoch };
        return runner({ job, line, platform, log: log.child(about) });
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the stream of a carrier was refused');
        line.hangUp();
      });
  };
  return new Map(
    Object.entries(streams).map(([name, open]) => [
      name,
      (socket, onToken, query) => open(socket, (line, token) => take(line, token, onToken), query),
    ]),
  );
}
