import { planOf, type CallPlan } from '../core/plan';
import type { SessionOptions } from './session-parts';

/** Undefined: the platform sent values that this release cannot read. */
export function readPlan({ job, log }: Pick<SessionOptions, 'job' | 'log'>): CallPlan | undefined {
  try {
    return planOf(job);
  } catch (error) {
    log.error({ err: error }, 'the configuration of a job is not readable; its call is not dialled');
    return undefined;
  }
}
