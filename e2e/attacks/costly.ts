import { crc32 } from 'node:zlib';
import { type World } from './world';

const mebibyte = 1024 * 1024;
/** A request with unusual names may take this many times as long as one of the same size with usual ones. */
const mostTimes = 10;
/** Differences below this are not compared. */
const leastMs = 100;

/** A cursor as lists return it: anyone can compute its checksum. */
const cursorOf = (values: readonly string[]): string => {
  const text = JSON.stringify(values);
  return Buffer.from(crc32(text).toString(16).padStart(8, '0') + text).toString('base64url');
};

/** Requests that are small but expensive: without these bounds a few of them stopped a service, and with it all organizations. */
export function costlyAttacks(world: () => World): void {
  /** The shortest of three times, because other processes only make a request slower. */
  const measureMs = async (request: () => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      const began = performance.now();
      expect(await request()).toEqual([400, 'BadRequestError']);
      times.push(performance.now() - began);
    }
    return Math.min(...times);
  };
  const patch = (body: object) =>
    world().outcome(`/v1/agents/${world().customer.agentId}`, {
      method: 'PATCH',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    });

  it.each(['/v1/agents', '/v1/calls', '/v1/knowledge-bases'])(
    'a name that the query of %s repeats thousands of times costs no more than a long value',
    async (path) => {
      const usual = await measureMs(() => world().outcome(`${path}?a=${'a'.repeat(14_000)}`));
      const repeated = await measureMs(() => world().outcome(`${path}?${'a&'.repeat(7_000)}`));
      expect(repeated).toBeLessThan(mostTimes * Math.max(usual, leastMs));
    },
  );

  it('thousands of unknown names in a body cost no more than one name of the same size', async () => {
    const names = Array.from({ length: 14_000 }, (_, nth) => `${'x'.repeat(50)}${String(nth).padStart(14, 'y')}`);
    const usual = await measureMs(() => patch({ unknown: 'x'.repeat(mebibyte - 100) }));
    const unknown = await measureMs(() => patch(Object.fromEntries(names.map((name) => [name, 0]))));
    expect(unknown).toBeLessThan(mostTimes * Math.max(usual, leastMs));
  });

  it('a cursor of times and numbers that no list returned is 400, also with the right checksum', async () => {
    const { organizationId, agentId } = world().customer;
    const times = ['2026-02-30T00:00:00Z', '0000-01-01T00:00:00Z', '2026-01-01T24:00:00Z'];
    const lists = [
      ...['agents', 'knowledge-bases', 'connections', 'api-keys', 'simulation-suites', 'message-templates'],
      ...['component-credentials', 'gateway-tokens', 'verifications', `organizations/${organizationId}/projects`],
      `organizations/${organizationId}/audit-log`,
    ];
    for (const list of lists)
      for (const time of times) {
        const outcome = await world().outcome(`/v1/${list}?cursor=${cursorOf([time, 'x'])}`);
        expect([list, time, ...outcome]).toEqual([list, time, 400, 'BadRequestError']);
      }
    for (const count of ['-999999999999999999', '2147483648'])
      expect(await world().outcome(`/v1/agents/${agentId}/publications?cursor=${cursorOf([count])}`)).toEqual([
        400,
        'BadRequestError',
      ]);
  });
}
