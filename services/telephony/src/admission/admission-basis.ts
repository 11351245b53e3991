import type { AdmissionSnapshot } from './admission-snapshot.sql';
import type { OrganizationState } from '../organizations';

export interface Memory {
  /** The state after our own last batch: an optimistic guess that the write checks against the row. */
  readonly state: OrganizationState | undefined;
  /** An upper bound of the calls scheduled at that state: every new one raises its revision, the end of one does not. Undefined until they were counted. */
  readonly booked: number | undefined;
  readonly cautious: number;
}

/** The state that a batch is decided on. `fresh`: read after its requests arrived. */
export interface Basis {
  readonly state: OrganizationState;
  readonly now: Date;
  readonly fresh: boolean;
  readonly booked: number | undefined;
}

/** The newest known state: the one read for one of the requests, or the one after our own last batch. */
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
