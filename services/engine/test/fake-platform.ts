import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CallStatus, WorkerCommand, WorkerJob, WorkerJobEvent } from '@parley/contract';
import { freePort } from '@parley/testing';

export interface Reported {
  /** claim, adopt, heartbeat, reports or complete. */
  readonly route: string;
  readonly jobId: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly authorization: string;
  /** The organization that the request names in its query. */
  readonly organizationId: string | null;
}

/** What a route answers instead of its usual answer; 'cut' breaks the connection. */
export type Instead = { readonly status: number; readonly body: unknown } | 'cut' | undefined;

const statusAfter: Readonly<Record<WorkerJobEvent['type'], CallStatus>> = {
  dialing: 'dialing',
  answered: 'answered',
  media_started: 'answered',
  ended: 'ended',
  failed: 'failed',
};

/** The worker routes over HTTP, with as much of the platform behind them as a worker can observe. */
export class FakePlatform {
  readonly reported: Reported[] = [];
  readonly jobs: WorkerJob[] = [];
  /** The public keys of tokens. None: the worker asks about every token. */
  tokenKeys: string[] = [];
  /** Jobs by the token with which they can be adopted once. */
  readonly adoptable = new Map<string, WorkerJob>();
  /** Given to the next poll for commands. */
  readonly commands: WorkerCommand[] = [];
  readonly lost = new Set<string>();
  readonly canceled = new Set<string>();
  /** Asked before every answer; may wait. */
  onRequest: (reported: Reported) => Instead | Promise<Instead> = () => undefined;
  private closing = false;
  private readonly waiting = new Set<() => void>();
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const server = createServer((request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    // A restart uses the same port, which is outside of the range that the kernel gives to clients, so that no client takes it meanwhile.
    if (this.port === 0) this.port = await freePort();
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.server = server;
  }

  /** Breaks every connection, like a killed process. */
  async kill(): Promise<void> {
    const { server } = this;
    this.waiting.forEach((wake) => wake());
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  /** Answers all claims immediately and reports every lease as lost, so that a worker can stop without waiting. */
  letGo(): void {
    this.closing = true;
    this.onRequest = () => undefined;
    this.offer();
  }

  offer(...jobs: WorkerJob[]): void {
    this.jobs.push(...jobs);
    this.waiting.forEach((wake) => wake());
  }

  /** What was reported about a job on a route, in order of arrival. */
  of(jobId: string, route: string): Reported[] {
    return this.reported.filter((one) => one.jobId === jobId && one.route === route);
  }

  /** The events that were reported of a job; a repeated report counts once. */
  eventsOf(jobId: string): string[] {
    const bySeq = new Map(
      this.of(jobId, 'reports').map(({ body }) => [body['seq'], body['events'] as WorkerJobEvent[]]),
    );
    return [...bySeq.values()].flat().map(({ type }) => type);
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { pathname, searchParams } = new URL(request.url ?? '', this.url);
    const [, first = '', second] = /^\/v1\/worker-jobs\/([^/]+)(?:\/([^/]+)(?:\/.+)?)?$/.exec(pathname) ?? [];
    const reported: Reported = {
      route: second ?? first,
      jobId: second === undefined ? '' : first,
      body: JSON.parse(Buffer.concat(chunks).toString()) as Reported['body'],
      authorization: request.headers.authorization ?? '',
      organizationId: searchParams.get('organization_id'),
    };
    this.reported.push(reported);
    const instead = await this.onRequest(reported);
    if (instead === 'cut') {
      response.destroy();
      return;
    }
    const { status, body } =
      instead ??
      (reported.route === 'adopt' ? this.adopt(reported) : { status: 200, body: await this.answer(reported) });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }

  private async answer({ route, jobId, body }: Reported): Promise<unknown> {
    switch (route) {
      case 'claim':
        return {
          jobs: await this.claim(Number(body['capacity']), Number(body['wait_seconds'])),
          token_keys: this.tokenKeys,
        };
      case 'commands':
        if (jobId !== '') return {};
        return { commands: await this.takeCommands(Number(body['wait_seconds'] ?? 0)) };
      case 'heartbeat':
        return {
          leases: (body['leases'] as { job_id: string; epoch: number }[]).map((lease) => this.leaseState(lease)),
        };
      case 'reports': {
        const [event] = body['events'] as WorkerJobEvent[];
        return { call_status: statusAfter[event?.type ?? 'failed'], cancel_requested: this.canceled.has(jobId) };
      }
      default:
        return { call_status: 'completed' };
    }
  }

  private adopt({ body }: Reported): { status: number; body: unknown } {
    const token = String(body['token']);
    const job = this.adoptable.get(token);
    this.adoptable.delete(token);
    return job === undefined ? { status: 404, body: { error: 'NotFoundError' } } : { status: 200, body: job };
  }

  private leaseState(lease: { job_id: string; epoch: number }) {
    const state = this.closing || this.lost.has(lease.job_id) ? 'lost' : 'held';
    return { ...lease, state, cancel_requested: this.canceled.has(lease.job_id) };
  }

  /** Queues commands for the worker. */
  command(...commands: WorkerCommand[]): void {
    this.commands.push(...commands);
    this.waiting.forEach((wake) => wake());
  }

  private async takeCommands(waitSeconds: number): Promise<WorkerCommand[]> {
    if (this.commands.length === 0) await this.wait(waitSeconds);
    return this.commands.splice(0);
  }

  private async claim(capacity: number, waitSeconds: number): Promise<WorkerJob[]> {
    if (this.jobs.length === 0) await this.wait(waitSeconds);
    return this.jobs.splice(0, capacity);
  }

  private async wait(waitSeconds: number): Promise<void> {
    if (waitSeconds > 0 && !this.closing) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, waitSeconds * 1000);
        const wake = (): void => {
          clearTimeout(timer);
          this.waiting.delete(wake);
          resolve();
        };
        this.waiting.add(wake);
      });
    }
  }
}
