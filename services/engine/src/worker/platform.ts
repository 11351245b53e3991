import type {
  WorkerCompleteAnswer,
  WorkerHeartbeatAnswer,
  WorkerJobClaim,
  WorkerJobComplete,
  WorkerJobHeartbeat,
  WorkerJobReport,
  WorkerJobsClaimed,
  WorkerReportAnswer,
} from '@parley/contract';
import { Pool } from 'undici';

/** The platform answered with an error status. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    detail: string,
  ) {
    super(`the platform answered ${status}: ${detail}`);
    this.name = 'RefusedError';
  }
}

/** Whether the same request may succeed later: 5xx, 429, 408, and whatever kept an answer from arriving at all. */
export function isPassing(error: unknown): boolean {
  return !(error instanceof RefusedError) || error.status >= 500 || error.status === 429 || error.status === 408;
}

/** The four worker routes (decisions section 5). Each rejects with RefusedError, or with the fault of the connection. */
export interface Platform {
  claim(body: WorkerJobClaim): Promise<WorkerJobsClaimed>;
  heartbeat(body: WorkerJobHeartbeat): Promise<WorkerHeartbeatAnswer>;
  report(jobId: string, body: WorkerJobReport, traceparent: string): Promise<WorkerReportAnswer>;
  complete(jobId: string, body: WorkerJobComplete, traceparent: string): Promise<WorkerCompleteAnswer>;
  close(): Promise<void>;
}

export interface PlatformOptions {
  /** http(s)://host[:port][/path] */
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  /** An answer that takes longer counts as lost; a repeated report is answered as the first was. */
  readonly timeoutMs?: number;
}

/** Speaks to the platform as any worker does: HTTP and its own key. */
export function httpPlatform(options: PlatformOptions): Platform {
  const { origin, pathname } = new URL(options.url);
  const base = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, { connections: options.connections, keepAliveTimeout: 30_000 });
  const timeoutMs = options.timeoutMs ?? 5_000;

  const post = async <A>(
    path: string,
    body: object,
    extra: { waitMs?: number; traceparent?: string } = {},
  ): Promise<A> => {
    const mostMs = timeoutMs + (extra.waitMs ?? 0);
    const answer = await pool.request({
      method: 'POST',
      path: base + path,
      headers: {
        authorization: `Bearer ${options.token}`,
        'content-type': 'application/json',
        ...(extra.traceparent === undefined ? {} : { traceparent: extra.traceparent }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(mostMs),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new RefusedError(answer.statusCode, text.slice(0, 300));
    return JSON.parse(text) as A;
  };

  return {
    claim: (body) => post('/v1/worker-jobs/claim', body, { waitMs: (body.wait_seconds ?? 0) * 1000 }),
    heartbeat: (body) => post('/v1/worker-jobs/heartbeat', body),
    report: (jobId, body, traceparent) =>
      post(`/v1/worker-jobs/${encodeURIComponent(jobId)}/reports`, body, { traceparent }),
    complete: (jobId, body, traceparent) =>
      post(`/v1/worker-jobs/${encodeURIComponent(jobId)}/complete`, body, { traceparent }),
    close: () => pool.destroy(),
  };
}
