import fc from 'fast-check';
import type { HealthState } from './endpoint-health.rules';
import { allot, sharesOf, type QueueDemand } from './slots.rules';

const queue = (endpointId: string, health: HealthState, extra: Partial<QueueDemand> = {}): QueueDemand => ({
  endpointId,
  organizationId: 'org_1',
  health,
  window: health === 'healthy' ? 8 : 1,
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
  ])('splits %i slots', (slots, shares) => {
    expect(sharesOf(slots)).toEqual(shares);
  });
});

describe('allot', () => {
  it('healthy queues receive the same slots with or without unproven and failing queues', () => {
    const shares = sharesOf(64);
    const others = Array.from({ length: 500 }, (_, place) =>
      queue(`x${place}`, place % 2 === 0 ? 'failing' : 'unproven', { inFlight: place < 16 ? 1 : 0 }),
    );
    const alone = allot([queue('h', 'healthy', { window: 64 })], shares);
    const among = allot([...others, queue('h', 'healthy', { window: 64 })], shares);
    expect(alone.get('h')).toBe(48);
    expect(among.get('h')).toBe(48);
  });

  it('an organization is limited only while another one has deliveries waiting', () => {
    const shares = { healthy: 12, unproven: 1, failing: 1 };
    const crowd = ['a', 'b', 'c', 'd'].map((id) => queue(id, 'healthy'));
    expect(total(allot(crowd, shares), ['a', 'b', 'c', 'd'])).toBe(12);
    const other = queue('z', 'healthy', { organizationId: 'org_2' });
    const shared = allot([...crowd, other], shares);
    expect(shared.get('z')).toBe(6);
    expect(total(shared, ['a', 'b', 'c', 'd'])).toBe(6);
  });

  it('never exceeds a window or a share, and leaves no usable slot unassigned', () => {
    const queues = fc.array(
      fc.record({
        organizationId: fc.constantFrom('org_1', 'org_2', 'org_3'),
        health: fc.constantFrom<HealthState>('healthy', 'unproven', 'failing'),
        window: fc.integer({ min: 1, max: 64 }),
        inFlight: fc.integer({ min: 0, max: 70 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(queues, fc.integer({ min: 3, max: 300 }), (demands, slots) => {
        const named = demands.map((demand, place) => ({ ...demand, endpointId: `ep_${place}` }));
        const shares = sharesOf(slots);
        const allotted = allot(named, shares);
        for (const health of ['healthy', 'unproven', 'failing'] as const) {
          const group = named.filter((one) => one.health === health);
          const given = total(
            allotted,
            group.map(({ endpointId }) => endpointId),
          );
          const used = group.reduce((sum, { inFlight }) => sum + inFlight, 0);
          const room = group.reduce((sum, { window, inFlight }) => sum + Math.max(window - inFlight, 0), 0);
          expect(given).toBe(Math.min(room, Math.max(shares[health] - used, 0)));
          for (const { endpointId, window, inFlight } of group) {
            expect(allotted.get(endpointId) ?? 0).toBeLessThanOrEqual(Math.max(window - inFlight, 0));
          }
        }
      }),
    );
  });

  it('slots of healthy queues do not depend on the demand of unproven and failing queues', () => {
    const demand = (health: HealthState) =>
      fc
        .array(fc.record({ organization: fc.nat(3), window: fc.integer({ min: 1, max: 64 }), inFlight: fc.nat(64) }), {
          maxLength: 12,
        })
        .map((queues) =>
          queues.map(({ organization, window, inFlight }, index): QueueDemand => ({
            endpointId: `${health}-${index}`,
            organizationId: `org-${organization}`,
            health,
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
