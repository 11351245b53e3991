import type { Publication } from '@parley/contract';
import type { CallClock } from '../carriers/carrier';
import type { Providers } from './provider';
import { simulatorProviders } from './simulator';

/** The components that a publication names; undefined when this worker has no adapter for one of them. */
export function providersFor(publication: Partial<Publication>, clock: CallClock): Providers | undefined {
  const named = [publication.transcriber, publication.model, publication.voice];
  const simulated = named.every((component) => component === undefined || component.provider === 'simulator');
  return simulated ? simulatorProviders(clock) : undefined;
}
