import type { AuthServiceServer } from '@parley/proto/auth';
import { poller, serviceCaller, type Background, type GrpcClient, type Logger } from '@parley/runtime';

/** What auth notes a key's use by at most: its last_used_at is that much behind. */
const everyMs = 10_000;

export interface LastUsedRecorderOptions {
  readonly auth: Pick<GrpcClient<AuthServiceServer>, 'noteKeysUsed'>;
  readonly log: Logger;
  readonly everyMs?: number;
}

/**
 * Which keys were used since the last report to auth. A key that this replica knows is used without asking auth, so that auth would
 * otherwise take it for idle. One message for all of them every ten seconds, none in a request; what is left is reported on stop, and a
 * crash loses ten seconds of it.
 */
export class LastUsedRecorder implements Background {
  readonly name = 'key-use';
  /** The last address of each. */
  private used = new Map<string, string>();
  private readonly job: Background;

  constructor(private readonly options: LastUsedRecorderOptions) {
    this.job = poller({
      name: this.name,
      everyMs: options.everyMs ?? everyMs,
      run: () => this.tell(),
      log: options.log,
    });
  }

  note(keyId: string, address: string): void {
    this.used.set(keyId, address);
  }

  start(): Promise<void> | void {
    return this.job.start();
  }

  async stop(): Promise<void> {
    await this.job.stop();
    await this.tell().catch((error: unknown) => this.options.log.warn({ err: error }, 'the last use of keys is lost'));
  }

  private async tell(): Promise<void> {
    if (this.used.size === 0) return;
    const used = this.used;
    this.used = new Map();
    try {
      await this.options.auth.noteKeysUsed(
        { keyIds: [...used.keys()], addresses: [...used.values()] },
        { requestId: this.name, caller: serviceCaller },
      );
    } catch (error) {
      // What came meanwhile is later.
      this.used = new Map([...used, ...this.used]);
      throw error;
    }
  }
}
