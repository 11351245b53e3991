import type { HealthState } from './endpoint-health.rules';

/** Slots of each group: unproven and failing lanes have an eighth each of their own, the healthy ones the rest. */
export type SlotShares = Readonly<Record<HealthState, number>>;

export function sharesOf(slots: number): SlotShares {
  const eighth = Math.max(Math.floor(slots / 8), 1);
  return { unproven: eighth, failing: eighth, healthy: Math.max(slots - 2 * eighth, 1) };
}

/** What the allotment knows of a lane. */
export interface LaneDemand {
  readonly endpointId: string;
  readonly organizationId: string;
  readonly standing: HealthState;
  readonly window: number;
  readonly inFlight: number;
}

/**
 * How many attempts each lane may begin now. Groups never lend to each other, so that no healthy delivery waits for a
 * slot that an unproven or failing lane holds. Within a group slots go one by one to the lane whose organization, then
 * which itself, has the fewest: an organization is held back only while another one waits.
 */
export function allot(lanes: readonly LaneDemand[], shares: SlotShares): Map<string, number> {
  const allotted = new Map<string, number>();
  for (const standing of Object.keys(shares) as HealthState[]) {
    const group = lanes.filter((lane) => lane.standing === standing);
    const used = group.reduce((sum, lane) => sum + lane.inFlight, 0);
    allotGroup(group, shares[standing] - used, allotted);
  }
  return allotted;
}

/** The lanes of one organization that still have room, and what it holds altogether. */
interface Claimant {
  held: number;
  readonly lanes: { readonly lane: LaneDemand; held: number }[];
}

function claimantsOf(group: readonly LaneDemand[]): Claimant[] {
  const claimants = new Map<string, Claimant>();
  for (const lane of group) {
    const claimant = claimants.get(lane.organizationId) ?? { held: 0, lanes: [] };
    claimants.set(lane.organizationId, claimant);
    claimant.held += lane.inFlight;
    if (lane.inFlight < lane.window) claimant.lanes.push({ lane, held: lane.inFlight });
  }
  return [...claimants.values()].filter(({ lanes }) => lanes.length > 0);
}

const poorest = <T extends { held: number }>(among: readonly T[]): T | undefined =>
  among.reduce<T | undefined>((least, one) => (least === undefined || one.held < least.held ? one : least), undefined);

function allotGroup(group: readonly LaneDemand[], free: number, allotted: Map<string, number>): void {
  let claimants = claimantsOf(group);
  for (let left = free; left > 0; left -= 1) {
    const claimant = poorest(claimants);
    const chosen = poorest(claimant?.lanes ?? []);
    if (claimant === undefined || chosen === undefined) return;
    const { endpointId, window } = chosen.lane;
    allotted.set(endpointId, (allotted.get(endpointId) ?? 0) + 1);
    chosen.held += 1;
    claimant.held += 1;
    if (chosen.held < window) continue;
    claimant.lanes.splice(claimant.lanes.indexOf(chosen), 1);
    if (claimant.lanes.length === 0) claimants = claimants.filter((one) => one !== claimant);
  }
}
