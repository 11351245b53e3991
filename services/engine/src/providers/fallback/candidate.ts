import type { ProviderError, ProviderErrorCode } from '@parley/providers';
import type { Breakers } from './breakers';

/** A component that can be used in a call. */
export interface Candidate<Component> {
  readonly provider: string;
  /** Together with the provider it identifies a circuit; never a secret. */
  readonly credentialId: string;
  readonly component: Component;
}

/** A failure for the call's list of problems. */
export interface Incident {
  readonly code: 'provider_failed' | 'provider_skipped' | 'provider_hedged' | 'empty_reply' | 'content_filtered';
  /** Contains kind, provider and reason, but no content of the conversation. */
  readonly detail: string;
}

export interface FallbackOptions {
  readonly kind: 'transcriber' | 'model' | 'voice';
  readonly breakers: Breakers;
  readonly onIncident: (incident: Incident) => void;
  /** Milliseconds of a monotonic clock. Default: that of the process. */
  readonly now?: () => number;
}

export const circuitOf = ({ provider, credentialId }: Candidate<unknown>): string => `${provider}/${credentialId}`;

/**
 * The candidates whose circuit allows a request, in order. If every circuit is open, the first candidate is tried anyway, because the alternative is silence.
 */
export function usable<Component>(
  candidates: readonly Candidate<Component>[],
  { kind, breakers, onIncident }: FallbackOptions,
): readonly Candidate<Component>[] {
  const open = candidates.filter((candidate) => !breakers.mayAsk(circuitOf(candidate)));
  if (open.length === candidates.length) return candidates.slice(0, 1);
  for (const { provider } of open)
    onIncident({ code: 'provider_skipped', detail: `${kind}: ${provider} failed shortly before and got no request` });
  return candidates.filter((candidate) => !open.includes(candidate));
}

const codes: Partial<Record<ProviderErrorCode, Incident['code']>> = {
  empty_answer: 'empty_reply',
  content_filtered: 'content_filtered',
};

export const failureOf = (kind: FallbackOptions['kind'], error: ProviderError, next: string | undefined): Incident => ({
  code: codes[error.code] ?? 'provider_failed',
  detail: `${kind}: ${error.provider} failed (${error.code})${next === undefined ? '' : `; ${next} continued`}`,
});
