import type { Transcript } from '@parley/contract';
import { histogramOf } from './latency-histogram.rules';

/** What the rollups count of a call. */
export interface CountedCall {
  readonly organizationId: string;
  readonly projectId: string;
  readonly agentId: string;
  readonly direction: string;
  readonly channel: string;
  readonly carrier: string | null;
  readonly status: string;
  readonly endedReason: string | null;
  readonly synthetic: boolean;
  readonly answeredAt: Date | null;
  readonly durationSeconds: number | null;
  readonly costMicros: number;
}

/** An addition to the rollup of an hour: the dimensions of the call and the amounts to add. */
export interface RollupDelta {
  /** When the call ended; it determines the hour. */
  readonly at: Date;
  readonly projectId: string;
  readonly agentId: string;
  readonly direction: string;
  readonly channel: string;
  /** Empty for none. */
  readonly carrier: string;
  readonly status: string;
  /** Empty for none. */
  readonly endedReason: string;
  readonly calls: number;
  readonly answered: number;
  readonly durationSeconds: number;
  readonly costMicros: number;
  /** A histogram; empty if no turn was measured. */
  readonly turnLatencies: readonly number[];
}

const overStatuses: readonly string[] = ['completed', 'failed', 'canceled'];
const isOver = ({ status }: Pick<CountedCall, 'status'>): boolean => overStatuses.includes(status);

/** Trial calls are not counted because they are generated; calls without an organization are not, because no one can query them. */
const isCounted = ({ organizationId, synthetic }: CountedCall): boolean => organizationId !== '' && !synthetic;

const dimensionsOf = (call: CountedCall, at: Date) => ({
  at,
  projectId: call.projectId,
  agentId: call.agentId,
  direction: call.direction,
  channel: call.channel,
  carrier: call.carrier ?? '',
  status: call.status,
  endedReason: call.endedReason ?? '',
});

/** What the end of a call adds to its rollup; undefined if the change does not end the call. */
export function endOfCall(before: CountedCall, after: CountedCall, at: Date): RollupDelta | undefined {
  if (isOver(before) || !isOver(after) || !isCounted(after)) return undefined;
  return {
    ...dimensionsOf(after, at),
    calls: 1,
    answered: after.answeredAt === null ? 0 : 1,
    durationSeconds: after.durationSeconds ?? 0,
    costMicros: after.costMicros,
    turnLatencies: [],
  };
}

/** What a call's transcript adds to its rollup. A transcript is stored only once. Undefined if no turn was measured. */
export function latenciesOfCall(call: CountedCall, transcript: string, at: Date): RollupDelta | undefined {
  if (!isCounted(call)) return undefined;
  const { turns } = JSON.parse(transcript) as Transcript;
  const measured = turns.flatMap(({ latency }) => (latency?.total_ms === undefined ? [] : [latency.total_ms]));
  if (measured.length === 0) return undefined;
  const sums = { calls: 0, answered: 0, durationSeconds: 0, costMicros: 0 };
  return { ...dimensionsOf(call, at), ...sums, turnLatencies: histogramOf(measured) };
}
