import fc from 'fast-check';
import type { HealthState } from './endpoint-health.rules';
import { allot, sharesOf, type LaneDemand } from './slots.rules';

const lane = (endpointId: string, standing: HealthState, extra: Partial<LaneDemand> = {}): LaneDemand => ({
  endpointId,
  organizationId: 'org_1',
  standing,
  window: standing === 'healthy' ? 8 : 1,
  inFlight: 0,
  ...extra,
});

const total = (allotted: Map<string, number>, ids: readonly string[]) =>
  ids.reduce((sum, id) => sum + (allotted.get(id) ?? 0), 0);

describe('sharesOf', () => {
  it.each([
    [256, { unproven: 32, failing: 32, healthy: 192 }],
    [16, { unproven: 2, failing: 2, healthy: 12 }],
    [3, { unproven: 1, failing: 1, healthy: 1 }],
  ])('of %i', (slots, shares) => {
    expect(sharesOf(slots)).toEqual(shares);
  });
});

describe('allot', () => {
  it('lets no healthy delivery wait for a slot that unproven or failing lanes hold', () => {
    const shares = sharesOf(64);
    const others = Array.from({ length: 500 }, (_, place) =>
      lane(`x${place}`, place % 2 === 0 ? 'failing' : 'unproven', { inFlight: place < 16 ? 1 : 0 }),
    );
    const alone = allot([lane('h', 'healthy', { window: 64 })], shares);
    const among = allot([...others, lane('h', 'healthy', { window: 64 })], shares);
    expect(alone.get('h')).toBe(48);
    expect(among.get('h')).toBe(48);
  });

  it('holds an organization back only while another one waits', () => {
    const shares = { healthy: 12, unproven: 1, failing: 1 };
    const crowd = ['a', 'b', 'c', 'd'].map((id) => lane(id, 'healthy'));
    expect(total(allot(crowd, shares), ['a', 'b', 'c', 'd'])).toBe(12);
    const other = lane('z', 'healthy', { organizationId: 'org_2' });
    const shared = allot([...crowd, other], shares);
    expect(shared.get('z')).toBe(6);
    expect(total(shared, ['a', 'b', 'c', 'd'])).toBe(6);
  });

  it('never exceeds a window or a share, and leaves no slot unused that somebody could take', () => {
    const lanes = fc.array(
      fc.record({
        organizationId: fc.constantFrom('org_1', 'org_2', 'org_3'),
        standing: fc.constantFrom<HealthState>('healthy', 'unproven', 'failing'),
        window: fc.integer({ min: 1, max: 64 }),
        inFlight: fc.integer({ min: 0, max: 70 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(lanes, fc.integer({ min: 3, max: 300 }), (demands, slots) => {
        const named = demands.map((demand, place) => ({ ...demand, endpointId: `ep_${place}` }));
        const shares = sharesOf(slots);
        const allotted = allot(named, shares);
        for (const standing of ['healthy', 'unproven', 'failing'] as const) {
          const group = named.filter((one) => one.standing === standing);
          const given = total(
            allotted,
            group.map(({ endpointId }) => endpointId),
          );
          const used = group.reduce((sum, { inFlight }) => sum + inFlight, 0);
          const room = group.reduce((sum, { window, inFlight }) => sum + Math.max(window - inFlight, 0), 0);
          expect(given).toBe(Math.min(room, Math.max(shares[standing] - used, 0)));
          for (const { endpointId, window, inFlight } of group) {
            expect(allotted.get(endpointId) ?? 0).toBeLessThanOrEqual(Math.max(window - inFlight, 0));
          }
        }
      }),
    );
  });

  it('gives healthy lanes the same slots whatever unproven and failing lanes hold or ask for', () => {
    const demand = (standing: HealthState) =>
      fc
        .array(fc.record({ organization: fc.nat(3), window: fc.integer({ min: 1, max: 64 }), inFlight: fc.nat(64) }), {
          maxLength: 12,
        })
        .map((lanes) =>
          lanes.map(({ organization, window, inFlight }, index): LaneDemand => ({
            endpointId: `${standing}-${index}`,
            organizationId: `org-${organization}`,
            standing,
            window,
            inFlight: Math.min(inFlight, window),
          })),
        );
    fc.assert(
      fc.property(
        demand('healthy'),
        demand('unproven'),
        demand('failing'),
        fc.integer({ min: 8, max: 512 }),
        (healthy, unproven, failing, slots) => {
          const shares = sharesOf(slots);
          const alone = allot(healthy, shares);
          const together = allot([...unproven, ...healthy, ...failing], shares);
          for (const { endpointId } of healthy) expect(together.get(endpointId)).toBe(alone.get(endpointId));
          for (const group of [unproven, failing]) {
            const begun = group.reduce((sum, { endpointId }) => sum + (together.get(endpointId) ?? 0), 0);
            const held = group.reduce((sum, { inFlight }) => sum + inFlight, 0);
            expect(begun).toBeLessThanOrEqual(Math.max(Math.floor(slots / 8) - held, 0));
          }
        },
      ),
    );
  });
});
