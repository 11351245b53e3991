import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

export interface Target {
  readonly title: string;
  readonly url: string;
  readonly method?: 'GET' | 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Gives each request a path, body or headers of its own. */
  readonly each?: () => {
    readonly path?: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  };
  /** Whether each request gets a new Idempotency-Key. */
  readonly creates?: boolean;
  /** The status that every response must have; otherwise the run is invalid. */
  readonly status: number;
}

export interface Figures {
  readonly requests: number;
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Closed-loop load over loopback for `seconds`: each of the `connections` clients waits for its response before it sends the next request. */
export async function load(target: Target, seconds: number, connections = 16): Promise<Figures> {
  const result = await autocannon({
    url: target.url,
    requests: [
      {
        method: target.method ?? 'GET',
        headers: target.headers,
        body: target.body,
        setupRequest: (request) => ({
          ...request,
          ...target.each?.(),
          ...(target.creates ? { headers: { ...target.headers, 'idempotency-key': randomUUID() } } : {}),
        }),
      },
    ],
    connections,
    duration: seconds,
    timeout: 10,
  });
  const answered = Object.entries(result.statusCodeStats ?? {}).map(
    ([status, { count }]) => [Number(status), count] as const,
  );
  const wrong = answered.filter(([status]) => status !== target.status);
  if (wrong.length > 0 || result.errors > 0) {
    throw new Error(`${target.title}: ${result.errors} errors, statuses ${JSON.stringify(answered)}`);
  }
  return {
    requests: result.requests.total,
    perSecond: result.requests.total / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

export interface Pair {
  readonly floor: Figures;
  readonly ours: Figures;
  readonly ratio: number;
}

const warmSeconds = 2;
const mostWarmings = 8;

/**
 * Warms up until a run is at most a twentieth better than the best one before. Meanwhile code is compiled and queries are planned, which takes longer for more
 * code.
 */
async function warm(target: Target, connections: number): Promise<void> {
  let best = 0;
  for (let nth = 1; nth <= mostWarmings; nth += 1) {
    const { perSecond } = await load(target, warmSeconds, connections);
    if (nth > 2 && perSecond < best * 1.05) return;
    best = Math.max(best, perSecond);
  }
}

interface Run {
  readonly floor: Figures;
  readonly ours: Figures;
}

/** The median of the runs for each measurement separately; the ratio is the median of the runs' ratios. */
function pairOf(runs: readonly Run[]): Pair {
  const middle = (pick: (run: Run) => number) => median(runs.map(pick));
  const figures = (side: 'floor' | 'ours'): Figures => ({
    requests: middle((run) => run[side].requests),
    perSecond: middle((run) => run[side].perSecond),
    p50: middle((run) => run[side].p50),
    p99: middle((run) => run[side].p99),
  });
  return {
    floor: figures('floor'),
    ours: figures('ours'),
    ratio: middle((run) => run.ours.perSecond / run.floor.perSecond),
  };
}

export interface Sweep {
  /** The results by number of clients. */
  readonly pairOfClients: ReadonlyMap<number, Pair>;
  /** The maximum throughput: for each round and side the highest rate of all numbers of clients, with the latencies of that run. */
  readonly most: Pair;
}

/** Measures floor and platform alternately (A B A B) after both were warmed up, with each number of clients in each round. */
export async function swept(
  floor: Target,
  ours: Target,
  pairs: number,
  seconds: number,
  clients: readonly number[],
): Promise<Sweep> {
  for (const connections of clients) {
    await warm(floor, connections);
    await warm(ours, connections);
  }
  const runsOfClients = new Map<number, Run[]>(clients.map((connections) => [connections, []]));
  const mosts: Run[] = [];
  for (let round = 0; round < pairs; round += 1) {
    const runs: Run[] = [];
    for (const [connections, kept] of runsOfClients) {
      const run = {
        floor: await load(floor, seconds, connections),
        ours: await load(ours, seconds, connections),
      };
      kept.push(run);
      runs.push(run);
    }
    mosts.push({ floor: most(runs.map((run) => run.floor)), ours: most(runs.map((run) => run.ours)) });
  }
  return {
    pairOfClients: new Map([...runsOfClients].map(([connections, runs]) => [connections, pairOf(runs)])),
    most: pairOf(mosts),
  };
}

const most = (runs: readonly Figures[]): Figures =>
  runs.reduce((best, run) => (run.perSecond > best.perSecond ? run : best));
