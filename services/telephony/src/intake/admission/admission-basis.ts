import type { AdmissionSnapshot } from '../../books';
import type { OrganizationState } from '../../books';

export interface Memory {
  /** The state after this process's last batch. It is an optimistic guess: the write fails if the row has another revision by then. */
  readonly state: OrganizationState | undefined;
  /**
   * An upper bound of the organization's scheduled calls at that state. Scheduling a call raises the state's revision, the end of a scheduled call does not, so
   * the real number can only be lower. Undefined until the calls were counted.
   */
  readonly scheduled: number | undefined;
  readonly cautious: number;
}

/** The state on which a batch is decided. `fresh`: it was read after the batch's requests had arrived. */
export interface Basis {
  readonly state: OrganizationState;
  readonly now: Date;
  readonly fresh: boolean;
  readonly scheduled: number | undefined;
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
  const scheduled = known !== undefined && known.revision >= newest.state.revision ? memory?.scheduled : undefined;
  return { state: cachedIsNewer ? known : newest.state, now: newest.now, fresh: !cachedIsNewer, scheduled };
}
