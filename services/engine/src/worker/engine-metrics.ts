import type { Registry } from '@parley/runtime';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { TurnLatency } from '../core/transcript';

/** The metrics parley_engine_live_calls and parley_engine_call_capacity of this process, on which autoscaling is based. */
export function observeCalls(registry: Registry, worker: { readonly live: number }, capacity: number): void {
  const live: Gauge = new Gauge({
    name: 'parley_engine_live_calls',
    help: 'Calls that this process is conducting',
    registers: [registry],
    collect: () => live.set(worker.live),
  });
  new Gauge({
    name: 'parley_engine_call_capacity',
    help: 'Maximum number of concurrent calls of this process',
    registers: [registry],
  }).set(capacity);
}

/** The metric parley_engine_ignored_messages_total: unknown or malformed messages from clients of media connections. */
export function countIgnored(registry: Registry): () => void {
  const ignored = new Counter({
    name: 'parley_engine_ignored_messages_total',
    help: 'Messages on media connections that were unknown or malformed',
    registers: [registry],
  });
  return () => ignored.inc();
}

const latencyParts = {
  hold: 'end_of_turn_hold_ms',
  transcript: 'transcript_ms',
  model: 'model_first_ms',
  voice: 'speech_first_ms',
  total: 'total_ms',
} as const satisfies Readonly<Record<string, keyof TurnLatency>>;

/**
 * The metric parley_turn_latency_seconds: from the caller's last voice to the agent's first audio, and its parts. @returns the callback for the latency of a
 * turn
 */
export function observeTurns(registry: Registry): (latency: TurnLatency) => void {
  const histogram = new Histogram({
    name: 'parley_turn_latency_seconds',
    help: "Time from the other party's last voice to the agent's first sound (total), and its parts, which overlap",
    labelNames: ['part'],
    buckets: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10],
    registers: [registry],
  });
  return (latency) => {
    for (const [part, name] of Object.entries(latencyParts)) {
      const ms = latency[name];
      if (ms !== undefined) histogram.observe({ part }, ms / 1000);
    }
  };
}

/** The metric parley_playout_underruns_total: how often a line ran out of audio in the middle of speech. */
export function countUnderruns(registry: Registry): (count: number) => void {
  const underruns = new Counter({
    name: 'parley_playout_underruns_total',
    help: 'Times that a line ran out of audio although more followed',
    registers: [registry],
  });
  return (count) => underruns.inc(count);
}
