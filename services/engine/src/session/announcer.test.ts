import { createLogger } from '@parley/runtime';
import { sealAnnouncement } from '@parley/service';
import { waveOf } from '@parley/speech';
import type { ConnectedLine } from '../lines/connected-line';
import type { LineListener } from '../lines/line';
import { Announcer } from './announcer';

/** A line that plays audio immediately. */
class Line {
  readonly sampleRate = 8_000;
  listener: LineListener | undefined;
  readonly sent: number[] = [];
  readonly marks: string[] = [];
  hungUp = 0;

  listen(listener: LineListener): void {
    this.listener = listener;
  }

  send(samples: Int16Array): void {
    this.sent.push(samples.length);
  }

  mark(name: string): void {
    this.marks.push(name);
  }

  hangUp(): void {
    this.hungUp += 1;
    this.listener?.ended('hung_up_here');
  }

  get total(): number {
    return this.sent.reduce((sum, one) => sum + one, 0);
  }
}

const log = createLogger({ level: 'silent', service: 'engine' });
const said: string[] = [];
const voice = (seconds: number) => ({
  synthesize: ({ text }: { text: string }) => {
    said.push(text);
    if (seconds === 0) return Promise.reject(new Error('no voice'));
    return Promise.resolve(waveOf(Buffer.alloc(seconds * 32_000), 16_000));
  },
  stop: () => Promise.resolve(),
});

async function announced(sealed: string, { seconds = 2, secret = 'secret' } = {}) {
  const line = new Line();
  // The fake implements the parts of a line that an announcement uses.
  const real: unknown = line;
  const isTaken = new Announcer({ secret, log, voice: voice(seconds) }).announce(real as ConnectedLine, sealed);
  await jest.advanceTimersByTimeAsync(0);
  return { line, isTaken };
}

describe('the announcement of a warm transfer over SIP', () => {
  const sealed = (): string => sealAnnouncement('secret', 'A caller for you.', Date.now()) ?? '';
  beforeEach(() => {
    jest.useFakeTimers();
    said.length = 0;
  });
  afterEach(() => jest.useRealTimers());

  it('is sent slightly ahead of real time, and the stream ends when it was played completely', async () => {
    const { line, isTaken } = await announced(sealed());
    expect([isTaken, said]).toEqual([true, ['A caller for you.']]);
    expect(line.total).toBe(2_400);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([line.total, line.marks]).toEqual([10_400, []]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([line.total, line.marks, line.hungUp]).toEqual([16_000, ['said'], 0]);
    line.listener?.marked('said');
    expect(line.hungUp).toBe(1);
    await jest.advanceTimersByTimeAsync(60_000);
    expect([line.total, line.hungUp]).toEqual([16_000, 1]);
  });

  it('ends the stream after a timeout if Asterisk does not report its end', async () => {
    const { line } = await announced(sealed());
    await jest.advanceTimersByTimeAsync(7_200);
    expect(line.hungUp).toBe(1);
  });

  it('stops if the other party hangs up', async () => {
    const { line } = await announced(sealed());
    line.listener?.ended('hung_up_there');
    const { total } = line;
    await jest.advanceTimersByTimeAsync(10_000);
    expect(line.total).toBe(total);
  });

  it('ends the stream if speech synthesis fails', async () => {
    const { line } = await announced(sealed(), { seconds: 0 });
    expect([line.total, line.hungUp]).toEqual([0, 1]);
  });

  it('is refused if it was not sealed by the platform', async () => {
    for (const one of ['', 'text', sealAnnouncement('other', 'Hello', Date.now()) ?? '']) {
      const { line, isTaken } = await announced(one);
      expect([isTaken, line.listener, said]).toEqual([false, undefined, []]);
    }
    expect((await announced(sealed(), { secret: '' })).isTaken).toBe(false);
  });
});
