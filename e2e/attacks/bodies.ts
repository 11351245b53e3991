import { readFileSync } from 'node:fs';
import net from 'node:net';
import type { World } from './world';

/** What the chart's limit of 448 MiB leaves a gateway, which needs 200 MiB when idle. The attacked one has traces and the requests of other attacks as well. */
const roomMib = 448 - 200;

/** Findings V1 and V7: a client that exhausts the memory or the CPU of a process with bodies. */
export function bodyAttacks(world: () => World): void {
  const gatewayMib = (): number => {
    const { pid } = world().platform.processes.find(({ name }) => name === 'gateway') ?? {};
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1]) / 1_024;
  };

  /** Opens connections that send a body without its last bytes; returns the statuses of those that are answered, and closes them. */
  function hold(count: number, head: readonly string[], bytes: number): { statuses: number[]; leave: () => void } {
    const { hostname, port } = new URL(world().platform.baseUrls[0] ?? '');
    const body = Buffer.alloc(bytes - 20, ' ');
    const statuses: number[] = [];
    const sockets = Array.from({ length: count }, () => {
      const socket = net.connect(Number(port), hostname);
      socket.write([...head, 'Host: a', `Content-Length: ${bytes}`, '', ''].join('\r\n'));
      socket.write(body);
      socket.on('data', (chunk: Buffer) => statuses.push(Number(chunk.toString('latin1').split(' ')[1])));
      // The server may close the connection first.
      return socket.on('error', () => undefined);
    });
    return { statuses, leave: () => sockets.forEach((socket) => socket.destroy()) };
  }

  it('V7: 60,000 unknown names in a body are refused after the first hundred, with their errors', async () => {
    const names = Object.fromEntries(Array.from({ length: 60_000 }, (_, nth) => [`n${nth}`, 0]));
    const answer = await world().customer.api.post('/v1/agents', { ...world().home, mode: 'hosted', ...names });
    expect([answer.status, (answer.body.errors as unknown[]).length]).toEqual([400, 100]);
  });

  it('V1: 580 forms without a key and 400 bodies of a key that may not send them, or may, stay within the memory of a gateway', async () => {
    const { token } = await world().holding(['coverage:read']);
    const idleMib = gatewayMib();
    const authorized = (key: string) => ['POST /v1/agents HTTP/1.1', `Authorization: Bearer ${key}`];
    const form = ['POST /v1/carriers/twilio/messages HTTP/1.1', `X-Twilio-Signature: ${'s'.repeat(27)}=`];
    const forms = hold(580, form, 65_530);
    const unscoped = hold(400, authorized(token), 1_048_570);
    const scoped = hold(400, authorized(world().customer.key), 1_048_570);
    let peakMib = idleMib;
    const reads: number[] = [];
    const isOver = (): boolean => scoped.statuses.includes(429) && forms.statuses.includes(503);
    // At least as long as a body may be silent; longer if the machine is busy.
    const [least, most] = [7_000, 60_000].map((ms) => performance.now() + ms) as [number, number];
    while (performance.now() < least || (performance.now() < most && !isOver())) {
      reads.push((await world().stranger.api.get('/v1/agents')).status);
      peakMib = Math.max(peakMib, gatewayMib());
    }
    for (const { leave } of [forms, unscoped, scoped]) leave();
    expect(new Set(reads)).toEqual(new Set([200]));
    expect(peakMib - idleMib).toBeLessThan(roomMib);
    expect(new Set(unscoped.statuses)).toEqual(new Set([403]));
    for (const status of scoped.statuses) expect([400, 429]).toContain(status);
    expect(scoped.statuses).toContain(429);
    // 429 is the limit of webhooks per address and minute.
    for (const status of forms.statuses) expect([400, 429, 503]).toContain(status);
    expect(forms.statuses).toContain(503);
  });

  it('75,000 pipelined requests without a key, and 900,000 chunks of one byte, keep no valid key from its answers', async () => {
    const { hostname, port } = new URL(world().platform.baseUrls[0] ?? '');
    const chunked = 'POST /mcp HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
    const bursts = ['GET /v1/nope HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(12_500), chunked + '1\r\nx\r\n'.repeat(150_000)];
    for (const burst of bursts) {
      const sockets = Array.from({ length: 6 }, () => {
        const socket = net.connect(Number(port), hostname);
        socket.write(burst);
        // The server closes the connection first.
        return socket.on('error', () => undefined).resume();
      });
      const closed = Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve))));
      let over = false;
      const read = async (): Promise<void> => {
        while (!over) expect((await world().customer.api.get('/v1/agents')).status).toBe(200);
      };
      await Promise.all([closed.then(() => (over = true)), read()]);
    }
  });
}
