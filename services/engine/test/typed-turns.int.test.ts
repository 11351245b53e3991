import { createLogger, systemClock } from '@parley/runtime';
import { eventually } from '@parley/testing';
import type { CarrierEvent } from '../src/carriers/carrier';
import { callClock } from '../src/carriers/call-clock';
import { browserCarrier } from '../src/conductors/browser-carrier';
import { parrot } from '../src/conductors/parrot';
import { BrowserLine } from '../src/lines/browser';
import { MediaServer } from '../src/lines/media-server';
import { httpPlatform } from '../src/worker/platform';
import { BrowserClient } from './browser-client';
import { FakePlatform } from './fake-platform';
import { jobTo } from './jobs';

const log = createLogger({ service: 'test', level: 'silent' });
const stopped: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stopped.splice(0)) await stop();
});

/** A client, and what becomes of its connection. */
async function clientOf(taken: (line: BrowserLine) => void): Promise<BrowserClient> {
  const server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [],
    log,
    hasRoom: () => true,
    connected: (socket) =>
      taken(new BrowserLine(socket, { nowMs: () => 0, pingMs: 60_000, closeMs: 50, onIgnored: () => undefined })),
  });
  await server.start();
  stopped.push(() => server.stop());
  return BrowserClient.to(server.port);
}

describe('typed turns', () => {
  /** A conversation's end of the line. */
  async function conversing() {
    const events: CarrierEvent[] = [];
    const client = await clientOf((line) => {
      browserCarrier(line).dial({ from: '', to: '' }, callClock(systemClock, 1), (event) => events.push(event));
    });
    await client.typesOf(1);
    const type = (count: number): void => {
      for (let nth = 1; nth <= count; nth += 1) client.say({ type: 'text', text: `turn ${nth}` });
    };
    const taken = (): string[] => events.flatMap((event) => (event.type === 'speech_ended' ? [event.audio.text] : []));
    return { client, events, type, taken };
  }

  it('are taken in their order, eight that wait', async () => {
    const { client, type, taken } = await conversing();
    type(8);
    await eventually(() => taken().length === 8 || undefined);
    expect(taken()).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `turn ${nth}`));
    type(8);
    await eventually(() => taken().length === 16 || undefined);
    expect(client.closed).toBeUndefined();
  });

  it('end the line with 1009 where a ninth would wait, and none is taken after it', async () => {
    const { client, events, type, taken } = await conversing();
    type(9);
    expect(await client.closeCode()).toBe(1009);
    expect(events.at(-1)).toEqual({ type: 'failed', reason: 'carrier_failure' });
    expect(taken()).toEqual([]);
  });
});

describe('a transcript larger than a completion', () => {
  it('is handed in from its beginning, and the record says so', async () => {
    const platform = new FakePlatform();
    await platform.start();
    stopped.push(() => platform.kill());
    const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 4, timeoutMs: 30_000 });
    const job = jobTo('', 'job_long');
    const client = await clientOf((line) => void parrot({ job, line, platform: api, log }));
    await client.typesOf(2);
    const text = 'x'.repeat(4_000);
    for (let nth = 0; nth < 200; nth += 1) client.say({ type: 'text', text });
    await client.typesOf(402);
    client.say({ type: 'hang_up' });
    const [completed] = await eventually(() => {
      const found = platform.of('job_long', 'complete');
      return found.length > 0 ? found : undefined;
    });
    expect(Buffer.byteLength(JSON.stringify(completed?.body))).toBeLessThan(1024 * 1024);
    const { turns } = completed?.body['transcript'] as { turns: { speaker: string; text: string }[] };
    expect(turns.slice(0, 2)).toMatchObject([
      { speaker: 'caller', text },
      { speaker: 'agent', text },
    ]);
    expect(turns.length).toBeLessThan(400);
    expect(platform.of('job_long', 'reports').at(-1)?.body).toMatchObject({
      events: [{ type: 'ended', problems: [{ code: 'transcript_cut' }] }],
    });
    await api.close();
  });
});
