import type { WorkerJob } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import { planOf, type CallPlan } from '../domain/call-plan';

/** Undefined: the platform sent values that this release cannot read. */
export function readPlan({ job, log }: { readonly job: WorkerJob; readonly log: Logger }): CallPlan | undefined {
  try {
    return planOf(job);
  } catch (error) {
    log.error({ err: error }, 'the configuration of a job is not readable; its call is not dialled');
    return undefined;
  }
}
