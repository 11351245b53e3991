import { createLogger } from '@parley/runtime';
import { eventually } from '@parley/testing';
import { parrot } from '../src/runners/parrot';
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

/** A client on a line that is passed to `taken`. */
async function clientOf(taken: (line: BrowserLine) => void, nowMs = () => 0): Promise<BrowserClient> {
  const server = new MediaServer({
    host: '127.0.0.1',
    port: 0,
    origins: [],
    log,
    hasRoom: () => true,
    connected: (socket) =>
      taken(new BrowserLine(socket, { nowMs, pingMs: 60_000, closeMs: 50, onIgnored: () => undefined })),
  });
  await server.start();
  stopped.push(() => server.stop());
  return BrowserClient.to(server.port);
}

describe('typed turns', () => {
  it.each([
    [8, undefined],
    [9, 1009],
  ])('%d at once: the line is closed with code %s', async (count, code) => {
    const typed: string[] = [];
    const ends: string[] = [];
    const client = await clientOf((line) =>
      line.listen({
        audio: () => undefined,
        marked: () => undefined,
        pressed: () => undefined,
        typed: (text) => void typed.push(text),
        ended: (end) => void ends.push(end),
      }),
    );
    for (let nth = 1; nth <= count; nth += 1) client.say({ type: 'text', text: `turn ${nth}` });
    if (code === undefined) await eventually(() => typed.length === count || undefined);
    else expect(await client.closeCode()).toBe(code);
    expect(typed).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((nth) => `turn ${nth}`));
    expect(ends).toEqual(code === undefined ? [] : ['too_much_unread']);
  });
});

describe('a transcript over the size limit of a completion', () => {
  it('keeps only its beginning, and the call has the problem transcript_cut', async () => {
    const platform = new FakePlatform();
    await platform.start();
    stopped.push(() => platform.kill());
    const api = httpPlatform({ url: platform.url, token: 'tai_test', connections: 4, timeoutMs: 30_000 });
    const job = jobTo('', 'job_long');
    // A second passes from each turn to the next.
    let now = 0;
    const client = await clientOf(
      (line) => void parrot({ job, line, platform: api, log }),
      () => (now += 1_000),
    );
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
