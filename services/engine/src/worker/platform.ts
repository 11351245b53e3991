import type {
  LiveAudioListeners,
  WorkerCommands,
  WorkerCommandsRequest,
  WorkerCompleteAnswer,
  WorkerHeartbeatAnswer,
  WorkerJob,
  WorkerJobAdopt,
  WorkerJobClaim,
  WorkerJobComplete,
  WorkerJobHeartbeat,
  WorkerJobReport,
  WorkerJobsClaimed,
  WorkerReportAnswer,
} from '@parley/contract';
import { identityHost, type ServiceIdentity } from '@parley/runtime';
import { buildConnector, Pool } from 'undici';

/** The platform answered with an error status. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    /** The code of the error, where the answer is one of the platform's. */
    readonly code: string | undefined,
    detail: string,
  ) {
    super(`the platform answered ${status}: ${detail}`);
    this.name = 'RefusedError';
  }
}

/**
 * What a failed request means. `passing`: the same one may succeed later. `unauthorized`: the same, once somebody has given this worker a key that
 * holds. `fenced`: the platform says that the lease is somebody else's, or over. `refused`: no repetition changes it.
 */
export type Failure = 'passing' | 'unauthorized' | 'fenced' | 'refused';

/** Statuses of a platform that cannot do it now. */
const passingStatuses: ReadonlySet<number> = new Set([408, 423, 425, 429]);

export function failureOf(error: unknown): Failure {
  // Whatever kept an answer from arriving at all.
  if (!(error instanceof RefusedError)) return 'passing';
  const { status, code } = error;
  if (status >= 500 || passingStatuses.has(status)) return 'passing';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 409 && code === 'ConflictError') return 'fenced';
  // What stands before a gateway that is away says so too, in words of its own.
  return status === 404 && code !== 'NotFoundError' ? 'passing' : 'refused';
}

/** The worker routes (docs/reference/workers.md). Each rejects with RefusedError, or with the error of the connection. */
export interface Platform {
  claim(body: WorkerJobClaim): Promise<WorkerJobsClaimed>;
  /** Repeated, it returns the same to the worker that has the job, until its first report. */
  adopt(body: WorkerJobAdopt): Promise<WorkerJob>;
  heartbeat(body: WorkerJobHeartbeat): Promise<WorkerHeartbeatAnswer>;
  /** Waits for the first. Aborted by the signal it rejects. */
  takeCommands(body: WorkerCommandsRequest, signal: AbortSignal): Promise<WorkerCommands>;
  report(jobId: string, body: WorkerJobReport, traceparent: string): Promise<WorkerReportAnswer>;
  complete(jobId: string, body: WorkerJobComplete, traceparent: string): Promise<WorkerCompleteAnswer>;
  /** What a worker does for the call of a lease, such as `credentials` and `tool-calls`. */
  underLease(jobId: string, path: string, body: object, waitMs?: number): Promise<unknown>;
  /** Part `n` of the call's recording, from 1 on. */
  putRecordingPart(jobId: string, epoch: number, n: number, bytes: Buffer): Promise<unknown>;
  /** Both sides of the call for those who listen in; how many replicas pass it on. */
  sendLiveAudio(jobId: string, epoch: number, bytes: Buffer): Promise<LiveAudioListeners>;
  close(): Promise<void>;
}

export interface PlatformOptions {
  /** http(s)://host[:port][/path] */
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  /** Claims name it, and the platform refuses them to a key of another organization, or of none. */
  readonly organizationId?: string;
  /** For the gateway's internal port: who this worker is. Default: a public address. */
  readonly identity?: ServiceIdentity;
  /** An answer that takes longer counts as lost; a repeated report is answered as the first was. */
  readonly timeoutMs?: number;
}

/** Speaks to the platform as any worker does: HTTP and its own key. */
export function httpPlatform(options: PlatformOptions): Platform {
  const { origin, pathname } = new URL(options.url);
  const base = pathname.replace(/\/+$/, '');
  const connect = options.identity && internalConnector(options.identity);
  const pool = new Pool(origin, { connections: options.connections, keepAliveTimeout: 30_000, connect });
  const timeoutMs = options.timeoutMs ?? 5_000;

  const post = <A>(
    path: string,
    body: object,
    extra: { waitMs?: number; traceparent?: string; signal?: AbortSignal } = {},
  ): Promise<A> => send('POST', path, { ...extra, type: 'application/json', body: JSON.stringify(body) });

  const send = async <A>(
    method: 'POST' | 'PUT',
    path: string,
    {
      type,
      body,
      waitMs = 0,
      traceparent,
      signal,
    }: { type: string; body: string | Buffer; waitMs?: number; traceparent?: string; signal?: AbortSignal },
  ): Promise<A> => {
    const answer = await pool.request({
      method,
      path: base + path,
      headers: {
        authorization: `Bearer ${options.token}`,
        'content-type': type,
        ...(traceparent === undefined ? {} : { traceparent }),
      },
      body,
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs + waitMs), ...(signal === undefined ? [] : [signal])]),
    });
    const text = await answer.body.text();
    if (answer.statusCode >= 300) throw new RefusedError(answer.statusCode, codeOf(text), text.slice(0, 300));
    return JSON.parse(text) as A;
  };

  const whose = options.organizationId === undefined ? '' : `?organization_id=${options.organizationId}`;
  return {
    claim: (body) => post(`/v1/worker-jobs/claim${whose}`, body, { waitMs: (body.wait_seconds ?? 0) * 1000 }),
    adopt: (body) => post('/v1/worker-jobs/adopt', body),
    takeCommands: (body, signal) =>
      post('/v1/worker-jobs/commands', body, { waitMs: (body.wait_seconds ?? 0) * 1000, signal }),
    heartbeat: (body) => post('/v1/worker-jobs/heartbeat', body),
    report: (jobId, body, traceparent) =>
      post(`/v1/worker-jobs/${encodeURIComponent(jobId)}/reports`, body, { traceparent }),
    complete: (jobId, body, traceparent) =>
      post(`/v1/worker-jobs/${encodeURIComponent(jobId)}/complete`, body, { traceparent }),
    underLease: (jobId, path, body, waitMs = 0) =>
      post(`/v1/worker-jobs/${encodeURIComponent(jobId)}/${path}`, body, { waitMs }),
    putRecordingPart: (jobId, epoch, n, bytes) =>
      send('PUT', `/v1/worker-jobs/${encodeURIComponent(jobId)}/recording/parts/${n}?epoch=${epoch}`, {
        type: 'application/octet-stream',
        body: bytes,
      }),
    sendLiveAudio: (jobId, epoch, bytes) =>
      send('POST', `/v1/worker-jobs/${encodeURIComponent(jobId)}/live-audio?epoch=${epoch}`, {
        type: 'application/octet-stream',
        body: bytes,
      }),
    close: () => pool.destroy(),
  };
}

function codeOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

/** Connects with the certificates as they are at that time, to a server that shows the certificate of the gateway. */
const internalConnector =
  (identity: ServiceIdentity): buildConnector.connector =>
  (options, callback) => {
    const servername = identityHost('gateway');
    buildConnector({ ...identity.tlsOptions(), servername })({ ...options, servername }, callback);
  };
