import { setTimeout as pause } from 'node:timers/promises';
import type { WorkerCommand, WorkerCommands } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import { refused, type CommandResult, type LiveCall } from './live-call';
import { persist } from './persist';
import type { Platform } from './platform';

export interface CommandsOptions {
  readonly platform: Pick<Platform, 'takeCommands' | 'underLease'>;
  readonly workerId: string;
  readonly calls: ReadonlyMap<string, LiveCall>;
  readonly log: Logger;
  /** Aborted when polling stops. */
  readonly signal: AbortSignal;
}

const waitSeconds = 20;
const retryMs = { first: 100, most: 5_000 } as const;

/**
 * Receives the commands for all calls of a worker with one long poll, while it has any call. The platform repeats a command until it has received the outcome,
 * and sends it to no other worker. Each command is performed once.
 */
export class Commands {
  /** Commands that were performed or are in progress and whose outcome the platform does not have yet. */
  private readonly held = new Set<string>();
  private running = false;

  constructor(private readonly options: CommandsOptions) {}

  /** Called when a call was added. */
  keep(): void {
    if (this.running) return;
    this.running = true;
    this.run()
      .catch((error: unknown) => this.options.log.error({ err: error }, 'commands are no longer received'))
      .finally(() => (this.running = false));
  }

  private async run(): Promise<void> {
    const { calls, signal, log } = this.options;
    let retryInMs: number = retryMs.first;
    while (calls.size > 0 && !signal.aborted) {
      try {
        for (const command of (await this.take()).commands) this.perform(command);
        retryInMs = retryMs.first;
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error, retry_in_ms: retryInMs }, 'commands could not be received');
        await pause(retryInMs * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
        retryInMs = Math.min(retryInMs * 2, retryMs.most);
      }
    }
  }

  private take(): Promise<WorkerCommands> {
    const { platform, workerId, signal } = this.options;
    return platform.takeCommands({ worker_id: workerId, wait_seconds: waitSeconds, held: [...this.held] }, signal);
  }

  private perform(command: WorkerCommand): void {
    const { command_id: commandId, job_id: jobId, epoch } = command;
    if (this.held.has(commandId)) return;
    this.held.add(commandId);
    const call = this.options.calls.get(jobId);
    // The command belongs to a lease that this worker no longer has. The worker that has the call now does not have to perform it either.
    if (call === undefined || call.epoch !== epoch) {
      this.end(command, refused('call_over', 'the call is over'));
      return;
    }
    Promise.resolve()
      .then(() => call.command?.(command) ?? refused('unavailable', 'this call supports no commands'))
      .catch((error: unknown) => {
        this.options.log.error({ err: error, type: command.type }, 'a command could not be performed');
        return refused('unavailable', 'the worker could not perform it');
      })
      .then((result) => this.end(command, result))
      .catch((error: unknown) => this.options.log.error({ err: error }, 'a command was lost'));
  }

  private end({ command_id: commandId, job_id: jobId, epoch }: WorkerCommand, result: CommandResult): void {
    const { platform, signal, log } = this.options;
    const path = `commands/${encodeURIComponent(commandId)}/outcome`;
    persist(
      () => platform.underLease(jobId, path, { epoch, ...result }),
      signal,
      (error, attempt) => log.warn({ err: error, attempt }, 'the outcome of a command was not accepted; retrying'),
    )
      .catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'the platform rejected the outcome of a command');
      })
      .finally(() => this.held.delete(commandId));
  }
}
