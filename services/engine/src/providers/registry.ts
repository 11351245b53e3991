import type { Publication, WorkerCapabilities } from '@parley/contract';
import type { CallClock } from '../carriers/carrier';
import type { ProviderAdapter, Providers } from './provider';
import { simulator } from './simulator/adapter';

/** What calls can be conducted with, and nothing else: this is declared to the platform. */
const declared: readonly ProviderAdapter[] = [simulator];

const byName = new Map(declared.map((adapter) => [adapter.name, adapter]));

/** The providers of each kind of component that this worker has an adapter for. */
export function providersByKind(): WorkerCapabilities['providers'] {
  const having = (part: 'transcriber' | 'model' | 'voice'): string[] =>
    declared.filter((adapter) => adapter[part] !== undefined).map(({ name }) => name);
  return { stt: having('transcriber'), llm: having('model'), tts: having('voice') };
}

/** The components that a publication names, each of its provider; undefined when this worker has no adapter for one of them. */
export function providersFor(publication: Partial<Publication>, clock: CallClock): Providers | undefined {
  // A publication without a component, as tests of the worker have, is simulated.
  const adapterOf = (component: { readonly provider: string } | undefined): ProviderAdapter | undefined =>
    byName.get(component?.provider ?? simulator.name);
  const transcriber = adapterOf(publication.transcriber)?.transcriber?.(clock);
  const model = adapterOf(publication.model)?.model?.(clock);
  const voice = adapterOf(publication.voice)?.voice?.(clock);
  return transcriber === undefined || model === undefined || voice === undefined
    ? undefined
    : { transcriber, model, voice };
}
