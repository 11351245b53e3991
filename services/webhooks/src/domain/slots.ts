import type { Standing } from './lane-standing';

/** Slots of each group: unproven and failing lanes have an eighth each of their own, the healthy ones the rest. */
export type SlotShares = Readonly<Record<Standing, number>>;

export function sharesOf(slots: number): SlotShares {
  const eighth = Math.max(Math.floor(slots / 8), 1);
  return { unproven: eighth, failing: eighth, healthy: Math.max(slots - 2 * eighth, 1) };
}

/** What the allotment knows of a lane. */
export interface LaneDemand {
  readonly endpointId: string;
  readonly organizationId: string;
  readonly standing: Standing;
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
  for (const standing of Object.keys(shares) as Standing[]) {
    const group = lanes.filter((lane) => lane.standing === standing);
    const used = group.reduce((sum, lane) => sum + lane.inFlight, 0);
    allotGroup(group, shares[standing] - used, allotted);
  }
  return allotted;
}

function allotGroup(group: readonly LaneDemand[], free: number, allotted: Map<string, number>): void {
  const ofOrganization = new Map<string, number>();
  for (const { organizationId, inFlight } of group) {
    ofOrganization.set(organizationId, (ofOrganization.get(organizationId) ?? 0) + inFlight);
  }
  const held = (lane: LaneDemand): number => lane.inFlight + (allotted.get(lane.endpointId) ?? 0);
  let open = group.filter((lane) => held(lane) < lane.window);
  let left = free;
  // In rounds: each round gives every open lane at most one more, the poorest first.
  while (left > 0 && open.length > 0) {
    const poorestFirst = [...open].sort(
      (a, b) =>
        (ofOrganization.get(a.organizationId) ?? 0) - (ofOrganization.get(b.organizationId) ?? 0) || held(a) - held(b),
    );
    for (const lane of poorestFirst.slice(0, left)) {
      allotted.set(lane.endpointId, (allotted.get(lane.endpointId) ?? 0) + 1);
      ofOrganization.set(lane.organizationId, (ofOrganization.get(lane.organizationId) ?? 0) + 1);
      left -= 1;
    }
    open = open.filter((lane) => held(lane) < lane.window);
  }
}
