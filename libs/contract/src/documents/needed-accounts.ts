import { componentCredentialKinds, type ComponentCredentialKind } from '../objects/component-credential';
import type { Publication } from './voice-stack-configuration';

export interface NeededAccount {
  readonly kind: ComponentCredentialKind;
  readonly provider: string;
}

const componentOf = { stt: 'transcriber', llm: 'model', tts: 'voice' } as const;

type Components = Pick<Publication, 'transcriber' | 'model' | 'voice'> & { readonly profiles: readonly object[] };

/** The provider accounts that a call may use: those of its components, of its languages' components and of their fallbacks, without duplicates. */
export function neededAccounts(publication: Components): NeededAccount[] {
  const places: readonly object[] = [publication, ...publication.profiles];
  return componentCredentialKinds.flatMap((kind) => {
    const selections = places.flatMap((place) => withFallbacks(Reflect.get(place, componentOf[kind])));
    const providers = new Set(selections.flatMap(providerOf));
    // Simulated components need no account.
    providers.delete('simulator');
    return [...providers].map((provider) => ({ kind, provider }));
  });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function withFallbacks(selection: unknown): unknown[] {
  if (!isObject(selection)) return [];
  const fallbacks: unknown = Reflect.get(selection, 'fallbacks');
  return [selection, ...(Array.isArray(fallbacks) ? (fallbacks as unknown[]) : [])];
}

function providerOf(selection: unknown): string[] {
  const provider: unknown = isObject(selection) ? Reflect.get(selection, 'provider') : undefined;
  return typeof provider === 'string' ? [provider] : [];
}
