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

/** The platform responded with an error status. */
export class RefusedError extends Error {
  constructor(
    readonly status: number,
    /** The error code, if the response comes from the platform and not, for example, from a proxy. */
    readonly code: string | undefined,
    detail: string,
  ) {
    super(`the platform answered ${status}: ${detail}`);
    this.name = 'RefusedError';
  }
}

/**
 * The meaning of a failed request. `passing`: a retry may succeed. `unauthorized`: a retry may succeed once this worker has a valid key. `fenced`: the lease is
 * over, or another worker has it. `refused`: a retry cannot succeed.
 */
export type Failure = 'passing' | 'unauthorized' | 'fenced' | 'refused';

/** Statuses that indicate temporary unavailability. */
const passingStatuses: ReadonlySet<number> = new Set([408, 423, 425, 429]);

export function failureOf(error: unknown): Failure {
  // Failures without any response.
  if (!(error instanceof RefusedError)) return 'passing';
  const { status, code } = error;
  if (status >= 500 || passingStatuses.has(status)) return 'passing';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 409 && code === 'ConflictError') return 'fenced';
  // A proxy in front of an unavailable gateway may also return 404, but with another body.
  return status === 404 && code !== 'NotFoundError' ? 'passing' : 'refused';
}

/** The worker routes (docs/reference/workers.md). Each rejects with RefusedError, or with an error of the connection. */
export interface Platform {
  claim(body: WorkerJobClaim): Promise<WorkerJobsClaimed>;
  /** Adopts the call of a token. Until the call's first report, a repeated request from the same worker returns the same job. */
  adopt(body: WorkerJobAdopt): Promise<WorkerJob>;
  heartbeat(body: WorkerJobHeartbeat): Promise<WorkerHeartbeatAnswer>;
  /** Waits for the first command. Rejects when the signal is aborted. */
  takeCommands(body: WorkerCommandsRequest, signal: AbortSignal): Promise<WorkerCommands>;
  report(jobId: string, body: WorkerJobReport, traceparent: string): Promise<WorkerReportAnswer>;
  complete(jobId: string, body: WorkerJobComplete, traceparent: string): Promise<WorkerCompleteAnswer>;
  /** Requests routes under the lease of a call, such as `credentials` and `tool-calls`. */
  underLease(jobId: string, path: string, body: object, waitMs?: number): Promise<unknown>;
  /** Uploads part `n` of the call's recording; parts are numbered from 1. */
  putRecordingPart(jobId: string, epoch: number, n: number, bytes: Buffer): Promise<unknown>;
  /** Sends the audio of both sides for clients that listen. Returns how many replicas forward it. */
  sendLiveAudio(jobId: string, epoch: number, bytes: Buffer): Promise<LiveAudioListeners>;
  close(): Promise<void>;
}

export interface PlatformOptions {
  /** http(s)://host[:port][/path] */
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  /** Sent with claims. The platform rejects a key that belongs to another organization or to none. */
  readonly organizationId?: string;
  /** The client certificate for the gateway's internal port. Default: none, because `url` is a public address. */
  readonly identity?: ServiceIdentity;
  /** The timeout for a response. A repeated report gets the same response. */
  readonly timeoutMs?: number;
}

export interface Connection {
  post<A>(
    path: string,
    body: object,
    extra?: { waitMs?: number; traceparent?: string; signal?: AbortSignal },
  ): Promise<A>;
  put<A>(path: string, bytes: Buffer): Promise<A>;
  close(): Promise<void>;
}

/** Sends authenticated requests of a worker over HTTP. */
export function connectionTo(options: Omit<PlatformOptions, 'organizationId'>): Connection {
  const { origin, pathname } = new URL(options.url);
  const base = pathname.replace(/\/+$/, '');
  const connect = options.identity && internalConnector(options.identity);
  const pool = new Pool(origin, { connections: options.connections, keepAliveTimeout: 30_000, connect });
  const timeoutMs = options.timeoutMs ?? 5_000;

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

  return {
    post: (path, body, extra = {}) =>
      Buffer.isBuffer(body)
        ? send('POST', path, { ...extra, type: 'application/octet-stream', body })
        : send('POST', path, { ...extra, type: 'application/json', body: JSON.stringify(body) }),
    put: (path, bytes) => send('PUT', path, { type: 'application/octet-stream', body: bytes }),
    close: () => pool.destroy(),
  };
}

/** The platform's worker routes over HTTP. */
export function httpPlatform(options: PlatformOptions): Platform {
  const { post, put, close } = connectionTo(options);
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
      put(`/v1/worker-jobs/${encodeURIComponent(jobId)}/recording/parts/${n}?epoch=${epoch}`, bytes),
    sendLiveAudio: (jobId, epoch, bytes) =>
      post(`/v1/worker-jobs/${encodeURIComponent(jobId)}/live-audio?epoch=${epoch}`, bytes),
    close,
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

/** Connects with the current certificates, and only to a server with the certificate of the gateway. */
const internalConnector =
  (identity: ServiceIdentity): buildConnector.connector =>
  (options, callback) => {
    const servername = identityHost('gateway');
    buildConnector({ ...identity.tlsOptions(), servername })({ ...options, servername }, callback);
  };
