import type { HealthState } from './endpoint-health.rules';

/** Slots per health group: unproven and failing queues get an eighth each, healthy ones the rest. */
export type SlotShares = Readonly<Record<HealthState, number>>;

export function sharesOf(slots: number): SlotShares {
  const eighth = Math.max(Math.floor(slots / 8), 1);
  return { unproven: eighth, failing: eighth, healthy: Math.max(slots - 2 * eighth, 1) };
}

/** A queue as seen by the slot allocation. */
export interface QueueDemand {
  readonly endpointId: string;
  readonly organizationId: string;
  readonly health: HealthState;
  readonly window: number;
  readonly inFlight: number;
}

/**
 * How many attempts each queue may start now. Health groups never lend slots to each other, so that a healthy delivery never waits for a slot that an unproven
 * or failing queue uses. Within a group, each slot goes to the organization with the fewest slots, and within it to the queue with the fewest. An organization
 * is therefore limited only while others wait.
 */
export function allot(queues: readonly QueueDemand[], shares: SlotShares): Map<string, number> {
  const allotted = new Map<string, number>();
  for (const health of Object.keys(shares) as HealthState[]) {
    const group = queues.filter((queue) => queue.health === health);
    const used = group.reduce((sum, queue) => sum + queue.inFlight, 0);
    allotGroup(group, shares[health] - used, allotted);
  }
  return allotted;
}

/** The queues of one organization that still need slots, and how many slots the organization has in total. */
interface Claimant {
  held: number;
  readonly queues: { readonly queue: QueueDemand; held: number }[];
}

function claimantsOf(group: readonly QueueDemand[]): Claimant[] {
  const claimants = new Map<string, Claimant>();
  for (const queue of group) {
    const claimant = claimants.get(queue.organizationId) ?? { held: 0, queues: [] };
    claimants.set(queue.organizationId, claimant);
    claimant.held += queue.inFlight;
    if (queue.inFlight < queue.window) claimant.queues.push({ queue, held: queue.inFlight });
  }
  return [...claimants.values()].filter(({ queues }) => queues.length > 0);
}

const poorest = <T extends { held: number }>(among: readonly T[]): T | undefined =>
  among.reduce<T | undefined>((least, one) => (least === undefined || one.held < least.held ? one : least), undefined);

function allotGroup(group: readonly QueueDemand[], free: number, allotted: Map<string, number>): void {
  let claimants = claimantsOf(group);
  for (let left = free; left > 0; left -= 1) {
    const claimant = poorest(claimants);
    const chosen = poorest(claimant?.queues ?? []);
    if (claimant === undefined || chosen === undefined) return;
    const { endpointId, window } = chosen.queue;
    allotted.set(endpointId, (allotted.get(endpointId) ?? 0) + 1);
    chosen.held += 1;
    claimant.held += 1;
    if (chosen.held < window) continue;
    claimant.queues.splice(claimant.queues.indexOf(chosen), 1);
    if (claimant.queues.length === 0) claimants = claimants.filter((one) => one !== claimant);
  }
}
