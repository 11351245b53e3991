/** What the platform has on record about the calls of a measurement. */
import { setTimeout as pause } from 'node:timers/promises';
import { percentile, shown } from '../media/percentiles.mts';
import type { BenchPlatform } from '../platform.mts';

interface Ending {
  readonly call_id: string;
  readonly to: string;
  readonly status: string;
  readonly ended_reason: string | null;
  readonly ended_detail?: string | null;
}

interface Records {
  /** The number of calls by ended reason and detail. */
  readonly ended: string;
  /** The number of interrupted turns of the agent. */
  readonly cut: number;
  /** From the last voice that the engine heard to its first audio, in ms, by callee and in order. */
  readonly latencies: ReadonlyMap<string, readonly number[]>;
}

interface RecordedTurn {
  readonly interrupted?: boolean;
  readonly latency?: { readonly total_ms?: number };
}

/** Waits for the end of the calls. */
export async function recordsOf(platform: BenchPlatform, calls: number): Promise<Records> {
  const headers = { authorization: `Bearer ${platform.development.admin_key}` };
  const read = async <T,>(route: string): Promise<T> =>
    (await (await fetch(platform.baseUrl + route, { headers })).json()) as T;
  for (const until = performance.now() + 60_000; ; await pause(500)) {
    const { data } = await read<{ data: readonly Ending[] }>('/v1/calls?limit=100');
    if (data.filter(({ status }) => status === 'completed' || status === 'failed').length < calls) {
      if (performance.now() > until) return { ended: 'not at all', cut: NaN, latencies: new Map() };
      continue;
    }
    let cut = 0;
    const latencies = new Map<string, readonly number[]>();
    for (const { call_id: id, to } of data) {
      const { turns = [] } = await read<{ turns?: readonly RecordedTurn[] }>(`/v1/calls/${id}/transcript`);
      cut += turns.filter(({ interrupted }) => interrupted === true).length;
      latencies.set(
        to,
        turns.flatMap(({ latency }) => latency?.total_ms ?? []),
      );
    }
    const reasons = Map.groupBy(data, ({ ended_reason: reason, ended_detail: detail }) =>
      [reason, detail].filter(Boolean).join(': '),
    );
    return { ended: [...reasons].map(([reason, { length }]) => `${reason} ${length}`).join(', '), cut, latencies };
  }
}

/** The times on the line less those of the engine, for calls in which both have the same number of answers. */
export function differences(
  onLine: ReadonlyMap<string, readonly number[]>,
  own: ReadonlyMap<string, readonly number[]>,
): number[] {
  return [...onLine].flatMap(([to, times]) => {
    const its = own.get(to) ?? [];
    return its.length === times.length ? times.map((ms, n) => ms - (its[n] ?? NaN)) : [];
  });
}

export const spread = (values: readonly number[]): string =>
  values.length === 0 ? '-' : [0.5, 0.95].map((share) => shown(percentile(values, share), 0)).join(' / ');
