import type { AuthServiceServer } from '@parley/proto/auth';
import { poller, serviceCaller, type Background, type GrpcClient, type Logger } from '@parley/runtime';

/** The interval of reports; `last_used_at` lags behind by at most this. */
const everyMs = 10_000;

export interface LastUsedRecorderOptions {
  readonly auth: Pick<GrpcClient<AuthServiceServer>, 'recordKeyUsage'>;
  readonly log: Logger;
  readonly everyMs?: number;
}

/**
 * Reports to auth which keys were used, because the use of a cached key causes no request to auth. One message every ten seconds contains all of them; no
 * request waits for it. The remaining ones are reported on stop; a crash loses up to ten seconds.
 */
export class LastUsedRecorder implements Background {
  readonly name = 'key-use';
  /** The last address from which each key was used. */
  private used = new Map<string, string>();
  private readonly job: Background;

  constructor(private readonly options: LastUsedRecorderOptions) {
    this.job = poller({
      name: this.name,
      everyMs: options.everyMs ?? everyMs,
      run: () => this.report(),
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
    await this.report().catch((error: unknown) =>
      this.options.log.warn({ err: error }, 'the last use of keys is lost'),
    );
  }

  private async report(): Promise<void> {
    if (this.used.size === 0) return;
    const used = this.used;
    this.used = new Map();
    try {
      await this.options.auth.recordKeyUsage(
        { keyIds: [...used.keys()], addresses: [...used.values()] },
        { requestId: this.name, caller: serviceCaller },
      );
    } catch (error) {
      // Uses recorded in the meantime are newer and take precedence.
      this.used = new Map([...used, ...this.used]);
      throw error;
    }
  }
}
