import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  SimulationConversation,
  SimulationCredentials,
  SimulationJob,
  SimulationJobAnswer,
} from '@parley/contract';
import type { Clock, Logger } from '@parley/runtime';
import type { CallClock } from '../session/call-clock';
import { Components, type ComponentsOptions } from '../session/components';
import { adaptersOf, type CallEnvironment } from '../session/run-call';
import { configurationOf } from '../session/configuration';
import { persist } from '../worker/persist';
import type { Connection } from '../worker/platform';
import { judge } from './judge';
import type { SimulatedAgent } from './simulated-agent';
import { simulate } from './simulate';
import { simulateSpoken, type SimulatedSound } from './simulate-spoken';

/** Resources shared by the jobs of a process. */
export interface JobTools {
  readonly connection: Connection;
  readonly clock: Clock;
  readonly log: Logger;
  readonly environment: Pick<CallEnvironment, 'network' | 'breakers' | 'adapters'>;
  /** Present if this worker has spoken conversations. */
  readonly sound?: SimulatedSound | undefined;
}

const most = { conversations: 25, bytes: 256 * 1024 } as const;
const mostProblems = 50;
/** The timeout of a report. It is long, because the platform evaluates assertions about extracted data before it responds. */
const reportWaitMs = 30_000;

/**
 * Runs the conversations of a job in order and reports them with their verdicts. Keeps the lease meanwhile.
 * @throws RefusedError if another worker has the lease, or the run was deleted
 */
export async function runJob(shared: JobTools, job: SimulationJob, signal: AbortSignal): Promise<void> {
  const isSpoken = job.spoken === true;
  const tools = { ...shared, sound: isSpoken ? shared.sound : undefined };
  if (isSpoken && tools.sound === undefined) throw new Error('this worker does not conduct spoken conversations');
  const reports = new Reports(tools, job, signal);
  const over = AbortSignal.any([signal, reports.over]);
  try {
    const agent = await openAgent(tools, job);
    const end = job.first_repetition + job.repetitions;
    for (let repetition = job.first_repetition; repetition < end; repetition += 1) {
      if (over.aborted) return;
      const conversation = await runConversation(tools, agent, job, { repetition, signal: over });
      // A spoken conversation that was aborted ended early; another worker repeats it, if it is still needed.
      if (isSpoken && over.aborted) return;
      await reports.add(conversation);
      await nextTurn();
    }
    await reports.flush(true);
  } finally {
    reports.stop();
  }
}

async function runConversation(
  { clock, log, sound }: JobTools,
  agent: SimulatedAgent,
  { scenario, organization_id: owner }: SimulationJob,
  { repetition, signal }: { readonly repetition: number; readonly signal: AbortSignal },
): Promise<SimulationConversation> {
  try {
    const conversation =
      sound === undefined
        ? await simulate(agent, scenario, { clock, log })
        : await simulateSpoken(agent, scenario, { clock, log, sound, owner, signal });
    const { turns, endedReason, reasonDetail, problems } = conversation;
    const verdicts = await judge(conversation, scenario.assertions, () => agent.modelFor({ ...stoppedClock }));
    return {
      ...{ repetition, ended_reason: endedReason, reason_detail: reasonDetail, verdicts, turns: [...turns] },
      problems: problems.slice(0, mostProblems).map((problem) => problem.slice(0, 1_000)),
    };
  } catch (error) {
    log.error({ err: error }, 'a simulated conversation failed');
    const problems = ['the worker could not conduct the conversation'];
    return { repetition, ended_reason: 'worker_failed', reason_detail: null, verdicts: [], turns: [], problems };
  }
}

/** The clock for a model that evaluates conversations, which has no simulated delay. */
const stoppedClock = { now: () => 0, after: () => () => undefined, hold: () => () => undefined };

/** The agent of a job, with the credentials of its components, which are read under the job's lease. */
async function openAgent({ connection, environment, sound }: JobTools, job: SimulationJob): Promise<SimulatedAgent> {
  const { publication, tuning, ...configuration } = configurationOf(job);
  if (publication === undefined || tuning === undefined) throw new Error('the configuration of a job is invalid');
  const provider = publication.model?.provider ?? 'simulator';
  const needed = sound === undefined ? provider !== 'simulator' : Components.needsCredentials(publication);
  const path = `/v1/simulation-jobs/${encodeURIComponent(job.job_id)}/credentials`;
  const { components: credentials } = needed
    ? await connection.post<SimulationCredentials>(path, { epoch: job.epoch })
    : { components: [] };
  const { network, breakers } = environment;
  const componentsOn = (clock: CallClock, onIncident: ComponentsOptions['onIncident']): Components =>
    new Components({
      adapters: adaptersOf(environment, clock, sound?.offline?.adapterFor(job.organization_id)),
      ...{ publication, credentials, delivery: configuration.effective?.voice_polish?.delivery },
      ...{ network, breakers, onIncident },
    });
  return {
    configuration: { ...configuration, publication, tuning },
    instantModel: provider === 'simulator',
    modelFor: (clock) => componentsOn(clock, () => undefined).model(),
    speechFor: componentsOn,
  };
}

/** Reports results in batches. Empty batches in between keep the lease. */
class Reports {
  /** Aborted when the run is over, or the lease is lost: no further results are needed. */
  get over(): AbortSignal {
    return this.ended.signal;
  }

  private readonly ended = new AbortController();
  private waiting: SimulationConversation[] = [];
  private bytes = 0;
  private sending: Promise<void> = Promise.resolve();
  private readonly beat: NodeJS.Timeout;

  constructor(
    private readonly tools: JobTools,
    private readonly job: SimulationJob,
    private readonly signal: AbortSignal,
  ) {
    this.beat = setInterval(() => this.keepLease(), (job.lease_seconds * 1_000) / 4);
  }

  async add(conversation: SimulationConversation): Promise<void> {
    this.waiting.push(conversation);
    this.bytes += Buffer.byteLength(JSON.stringify(conversation));
    const judgedThere = this.job.scenario.assertions.some(({ type }) => type === 'extraction_equals');
    if (judgedThere || this.waiting.length >= most.conversations || this.bytes >= most.bytes) await this.flush(false);
  }

  /** @param done whether the job is finished */
  async flush(done: boolean): Promise<void> {
    const conversations = this.waiting;
    this.waiting = [];
    this.bytes = 0;
    await this.send(conversations, done);
  }

  stop(): void {
    clearInterval(this.beat);
  }

  private keepLease(): void {
    this.send([], false).catch((error: unknown) => {
      this.ended.abort();
      this.tools.log.warn({ err: error }, 'the lease of a simulation job could not be renewed');
    });
  }

  private send(conversations: readonly SimulationConversation[], done: boolean): Promise<void> {
    const { connection, log } = this.tools;
    const path = `/v1/simulation-jobs/${encodeURIComponent(this.job.job_id)}/results`;
    const body = { epoch: this.job.epoch, conversations, ...(done && { done }) };
    const sent = this.sending.then(async () => {
      const answer = await persist(
        () => connection.post<SimulationJobAnswer>(path, body, { waitMs: reportWaitMs }),
        this.signal,
        (error, attempt) => log.warn({ err: error, attempt }, 'results were not accepted; retrying'),
      );
      if (answer.canceled) this.ended.abort();
    });
    this.sending = sent.catch(() => undefined);
    return sent;
  }
}
