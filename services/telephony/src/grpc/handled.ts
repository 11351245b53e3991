import type { TelephonyServiceServer } from '@parley/proto/telephony';
import type { UnaryHandlers } from '@parley/runtime';
import type { JobQueue } from '../jobs/job-queue';
import type { RuntimeConfigurations } from '../usecases/runtime-configuration';
import type { Telephony } from '../usecases/telephony';

/** What the handlers hand requests to. */
export interface Handled {
  readonly telephony: Telephony;
  readonly queue: JobQueue;
  readonly configurations: RuntimeConfigurations;
  /** Aborted when draining starts. */
  readonly draining: AbortSignal;
}

/** Some of the methods of the service. */
export type Handlers<Method extends keyof UnaryHandlers<TelephonyServiceServer>> = Pick<
  UnaryHandlers<TelephonyServiceServer>,
  Method
>;
