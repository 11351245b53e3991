import type { Registry } from '@parley/runtime';
import { Gauge } from 'prom-client';

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
