import type { Registry } from '@parley/runtime';
import { Counter, Gauge } from 'prom-client';

/** engine_live_calls and engine_call_capacity of this process: what the number of engines is scaled by. */
export function observeCalls(registry: Registry, worker: { readonly live: number }, capacity: number): void {
  const live: Gauge = new Gauge({
    name: 'engine_live_calls',
    help: 'Calls that this process conducts now',
    registers: [registry],
    collect: () => live.set(worker.live),
  });
  new Gauge({
    name: 'engine_call_capacity',
    help: 'Calls that this process conducts at once at most',
    registers: [registry],
  }).set(capacity);
}

/** engine_ignored_messages_total: what clients of media connections sent that is unknown or malformed. */
export function countIgnored(registry: Registry): () => void {
  const ignored = new Counter({
    name: 'engine_ignored_messages_total',
    help: 'Messages on media connections that were unknown or malformed',
    registers: [registry],
  });
  return () => ignored.inc();
}
