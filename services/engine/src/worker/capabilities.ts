import type { WorkerCapabilities } from '@parley/contract';
import { providersByKind } from '../providers/registry';

/**
 * What this worker can do, which is all that it is given: it dials with `carriers`, takes test calls where `browser` is one of them, and of an agent's tools it acts on end_call alone.
 */
export function capabilitiesOf(carriers: Iterable<string>): WorkerCapabilities {
  return {
    carriers: [...carriers],
    modes: ['hosted'],
    engines: ['cascade'],
    providers: providersByKind(),
    tools: ['end_call'],
  };
}
