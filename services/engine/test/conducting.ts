import type { WorkerJobComplete, WorkerJobEvent } from '@parley/contract';
import { createLogger } from '@parley/runtime';
import { simulatorCarrier } from '../src/carriers/simulator';
import type { Providers } from '../src/providers/provider';
import { providersFor } from '../src/providers/registry';
import { ConductedCall } from '../src/worker/conducted-call';
import type { Platform } from '../src/worker/platform';
import { jobTo, type JobChange } from './jobs';
import { VirtualClock } from './virtual-clock';

const log = createLogger({ service: 'test', level: 'silent' });

export interface Told {
  readonly events: WorkerJobEvent[];
  readonly completed: WorkerJobComplete;
  /** Call time at the end. */
  readonly endedAt: number;
}

/** A platform that takes everything, in order. */
function willingPlatform(events: WorkerJobEvent[], completed: WorkerJobComplete[]): Platform {
  const statuses = {
    dialing: 'dialing',
    answered: 'answered',
    media_started: 'answered',
    ended: 'ended',
    failed: 'failed',
  } as const;
  return {
    adopt: () => Promise.reject(new Error('no call is adopted here')),
    claim: () => Promise.resolve({ jobs: [] }),
    heartbeat: () => Promise.resolve({ leases: [] }),
    report: (_, body) => {
      events.push(...body.events);
      return Promise.resolve({ call_status: statuses[body.events[0]?.type ?? 'failed'], cancel_requested: false });
    },
    complete: (_, body) => {
      completed.push(body);
      return Promise.resolve({ call_status: 'completed' });
    },
    underLease: () => Promise.reject(new Error('nothing is asked under the lease here')),
    close: () => Promise.resolve(),
  };
}

/** Conducts a call of the simulator to its end, on a clock of its own. */
export async function conduct(
  to: string,
  change: JobChange = {},
  changed: (providers: Providers) => Providers = (providers) => providers,
): Promise<Told> {
  const clock = new VirtualClock();
  const events: WorkerJobEvent[] = [];
  const completed: WorkerJobComplete[] = [];
  const job = jobTo(to, 'job_1', change);
  const providers = providersFor(job.runtime_configuration.publication ?? {}, clock);
  const call = new ConductedCall({
    job,
    platform: willingPlatform(events, completed),
    carrier: simulatorCarrier,
    clock,
    providers: providers === undefined ? undefined : changed(providers),
    log,
  });
  let done = false;
  call.done.then(
    () => (done = true),
    () => undefined,
  );
  await clock.runUntil(() => done);
  const [answer] = completed;
  if (answer === undefined) throw new Error('the call was not completed');
  expect(completed).toHaveLength(1);
  expect(clock.pending).toBe(0);
  return { events, completed: answer, endedAt: clock.now() };
}
