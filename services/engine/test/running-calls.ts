import type { WorkerCredentials, WorkerJobComplete, WorkerJobEvent } from '@parley/contract';
import { createLogger, systemClock } from '@parley/runtime';
import { Breakers } from '../src/providers/fallback/index';
import type { StreamingAdapter } from '@parley/providers';
import { InstantClock } from '../src/session/call-clock';
import { runSimulatedCall, type CallEnvironment } from '../src/session/run-call';
import { TextLine } from '../src/session/text-line';
import type { Platform } from '../src/worker/platform';
import { jobTo, type JobChange } from './jobs';

const log = createLogger({ service: 'test', level: 'silent' });

export interface Reported {
  readonly events: WorkerJobEvent[];
  readonly completed: WorkerJobComplete;
  /** The requested transfers, each with the events that had been reported before. */
  readonly transfers: readonly object[];
}

/** A platform that accepts everything, in order. */
export function willingPlatform(
  events: WorkerJobEvent[],
  completed: WorkerJobComplete[],
  external: WorkerCredentials['external'] = null,
  transfers: object[] = [],
): Platform {
  const statuses = {
    dialing: 'dialing',
    answered: 'answered',
    media_started: 'answered',
    ended: 'ended',
    failed: 'failed',
  } as const;
  return {
    adopt: () => Promise.reject(new Error('no call is adopted here')),
    claim: () => Promise.resolve({ jobs: [], token_keys: [] }),
    takeCommands: () => Promise.resolve({ commands: [] }),
    heartbeat: () => Promise.resolve({ leases: [] }),
    report: async (_, body) => {
      // A report takes longer than other requests, which are sent at the same time.
      await new Promise((resolve) => setImmediate(resolve));
      events.push(...body.events);
      return { call_status: statuses[body.events[0]?.type ?? 'failed'], cancel_requested: false };
    },
    complete: (_, body) => {
      completed.push(body);
      return Promise.resolve({ call_status: 'completed' });
    },
    underLease: (_, path, body) => {
      if (path === 'transfers') {
        transfers.push({ ...body, reported: events.map(({ type }) => type) });
        return Promise.resolve({ transfer_id: 'trf_1', outcome: 'connected' });
      }
      return Promise.resolve({ call_id: 'call_of_job_1', components: [], tools: [], connections: [], external });
    },
    putRecordingPart: () => Promise.reject(new Error('nothing is recorded here')),
    sendLiveAudio: () => Promise.resolve({ listeners: 0 }),
    close: () => Promise.resolve(),
  };
}

/** The environment of calls in a test, without network. */
export function environmentWith(platform: Platform, adapters?: readonly StreamingAdapter[]): CallEnvironment {
  return {
    platform,
    clock: systemClock,
    network: { accountOf: (account) => account },
    breakers: new Breakers(() => performance.now()),
    client: { send: () => Promise.reject(new Error('no request leaves here')) },
    validator: { problems: () => Promise.resolve([]) },
    ...(adapters === undefined ? {} : { adapters }),
  };
}

/** Conducts a call of the simulator to its end, on a clock of its own. */
export async function runCall(
  to: string,
  change: JobChange = {},
  adapters?: readonly StreamingAdapter[],
  external?: WorkerCredentials['external'],
  inputLog?: CallEnvironment['inputLog'],
): Promise<Reported> {
  const clock = new InstantClock(systemClock);
  const events: WorkerJobEvent[] = [];
  const completed: WorkerJobComplete[] = [];
  const transfers: object[] = [];
  const platform = willingPlatform(events, completed, external, transfers);
  const environment = { ...environmentWith(platform, adapters), inputLog };
  const line = new TextLine(to, clock);
  await runSimulatedCall(environment, { job: jobTo(to, 'job_1', change), log, line, clock }).done;
  const [answer] = completed;
  if (answer === undefined) throw new Error('the call was not completed');
  expect(completed).toHaveLength(1);
  return { events, completed: answer, transfers };
}
