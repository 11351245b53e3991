import type { AdmissionSnapshot } from './admission-snapshot.sql';
import type { OrganizationState } from '../organizations';

export interface Memory {
  /** As our own last batch left it; only ever a guess, which the write holds against the row. */
  readonly state: OrganizationState | undefined;
  /** The most calls that are booked at that state: every booking raises its revision, what ends one does not. Undefined until they were counted. */
  readonly booked: number | undefined;
  readonly cautious: number;
}

/** What a batch is decided on. `fresh`: read after its requests arrived. */
export interface Basis {
  readonly state: OrganizationState;
  readonly now: Date;
  readonly fresh: boolean;
  readonly booked: number | undefined;
}

/** The newest state known: what one of the requests saw when it came, or what our own last batch left. */
export function newestBasis(
  batch: readonly { readonly snapshot: AdmissionSnapshot }[],
  memory: Memory | undefined,
): Basis | undefined {
  let newest = batch[0]?.snapshot;
  for (const { snapshot } of batch) if (newest === undefined || snapshot.now > newest.now) newest = snapshot;
  if (newest?.state === undefined) return undefined;
  const known = memory?.state;
  const cachedIsNewer = known !== undefined && known.revision > newest.state.revision;
  const booked = known !== undefined && known.revision >= newest.state.revision ? memory?.booked : undefined;
  return { state: cachedIsNewer ? known : newest.state, now: newest.now, fresh: !cachedIsNewer, booked };
}
