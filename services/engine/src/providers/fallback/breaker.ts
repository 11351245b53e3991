import type { ProviderErrorCode } from '@parley/providers';

/** The state of one provider and credential. */
export interface Circuit {
  /** Failures since the last success. */
  readonly failures: number;
  /** How often it opened since the last success. */
  readonly opened: number;
  /** Milliseconds of the caller's clock. No requests are sent until then. */
  readonly openUntil: number;
  /** Whether a probe request is running, which shows whether the provider has recovered. */
  readonly probing: boolean;
}

export const closedCircuit: Circuit = { failures: 0, opened: 0, openUntil: 0, probing: false };

/** Consecutive failures that open a circuit. */
export const failuresToOpen = 3;
export const shortestOpenMs = 10_000;
export const longestOpenMs = 300_000;
/** A refused credential is not tried again with every turn. */
export const refusedOpenMs = 60_000;

/** Whether a request may be sent. After the open period only one probe request may be, until it has ended. */
export const mayAsk = (circuit: Circuit, now: number): boolean =>
  circuit.opened === 0 || (now >= circuit.openUntil && !circuit.probing);

/** Called when a request begins. */
export const asked = (circuit: Circuit): Circuit => (circuit.opened === 0 ? circuit : { ...circuit, probing: true });

export const succeeded = (): Circuit => closedCircuit;

/** Failures that say nothing about the provider, but about one request. */
const ofRequest: ReadonlySet<ProviderErrorCode> = new Set([
  'canceled',
  'invalid_request',
  'empty_answer',
  'content_filtered',
]);

/** Called when a request failed. */
export function failed(circuit: Circuit, code: ProviderErrorCode, now: number, retryAfterMs?: number): Circuit {
  if (ofRequest.has(code)) return { ...circuit, probing: false };
  const failures = circuit.failures + 1;
  const openMs = openFor(circuit, code, failures, retryAfterMs);
  if (openMs === undefined) return { ...circuit, failures, probing: false };
  return { failures, opened: circuit.opened + 1, openUntil: now + openMs, probing: false };
}

/** The duration for which the circuit opens; undefined if it stays closed. */
function openFor(
  { opened }: Circuit,
  code: ProviderErrorCode,
  failures: number,
  retryAfterMs: number | undefined,
): number | undefined {
  if (code === 'unauthorized') return refusedOpenMs;
  if (code === 'rate_limited' && retryAfterMs !== undefined) return Math.min(longestOpenMs, retryAfterMs);
  if (failures < failuresToOpen && opened === 0) return undefined;
  return Math.min(longestOpenMs, shortestOpenMs * 2 ** opened);
}
