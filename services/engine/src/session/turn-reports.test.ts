import type { TranscriptTurn } from '@parley/contract';
import type { ConversationTurn } from '../core/transcript';
import { TurnReports } from './turn-reports';

const turn = (n: number, text = `turn ${n}`): ConversationTurn => ({
  turn_id: `t${n}`,
  speaker: 'agent',
  text,
  started_ms: n,
  ended_ms: n + 1,
});

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('reports of turns', () => {
  let sent: (readonly [first: number, texts: string[]])[];
  let answer: Promise<unknown>;
  let warnings: number;
  let reports: TurnReports;

  beforeEach(() => {
    sent = [];
    warnings = 0;
    answer = Promise.resolve();
    reports = new TurnReports({
      send({ first, turns }) {
        sent.push([first, turns.map(({ text }) => text)]);
        return answer;
      },
      render: (turns) => turns as TranscriptTurn[],
      log: { warn: () => (warnings += 1) } as never,
    });
  });

  it('send new turns, and from a changed turn on all turns', async () => {
    const [first, second, third] = [turn(0), turn(1), turn(2)];
    reports.note([first]);
    await settled();
    reports.note([first, second, third]);
    await settled();
    reports.note([first, turn(1, 'cut'), third]);
    await settled();
    reports.note([first, turn(1, 'cut'), third].slice(0, 0));
    await settled();
    expect(sent).toEqual([
      [0, ['turn 0']],
      [1, ['turn 1', 'turn 2']],
      [1, ['cut', 'turn 2']],
    ]);
  });

  describe('with a collection time', () => {
    const collecting = (): TurnReports =>
      new TurnReports({
        send({ first, turns }) {
          sent.push([first, turns.map(({ text }) => text)]);
          return answer;
        },
        render: (turns) => turns as TranscriptTurn[],
        collectMs: 300,
        log: { warn: () => (warnings += 1) } as never,
      });

    it('send all turns of that time in one report', async () => {
      reports = collecting();
      const began = performance.now();
      reports.note([turn(0)]);
      await settled();
      reports.note([turn(0), turn(1)]);
      await settled();
      expect(sent).toEqual([]);
      while (sent.length === 0) await settled();
      expect(performance.now() - began).toBeGreaterThan(295);
      expect(sent).toEqual([[0, ['turn 0', 'turn 1']]]);
    });

    it('send immediately when they are settled, and also afterwards', async () => {
      reports = collecting();
      reports.note([turn(0)]);
      await reports.settled();
      reports.note([turn(0), turn(1)]);
      await settled();
      await settled();
      expect(sent).toHaveLength(2);
    });
  });

  it('send nothing if nothing changed', async () => {
    const turns = [turn(0)];
    reports.note(turns);
    await settled();
    reports.note([...turns]);
    await settled();
    expect(sent).toHaveLength(1);
  });

  it('send the last turn again if the one after it was removed', async () => {
    const [first, second] = [turn(0), turn(1)];
    reports.note([first, second]);
    await settled();
    reports.note([first]);
    await settled();
    expect(sent.at(-1)).toEqual([0, ['turn 0']]);
  });

  it('wait for the pending report, and then send all changes', async () => {
    let taken: () => void = () => undefined;
    answer = new Promise<void>((resolve) => (taken = resolve));
    const turns = [turn(0), turn(1), turn(2)];
    reports.note(turns.slice(0, 1));
    reports.note(turns.slice(0, 2));
    reports.note(turns);
    expect(sent).toHaveLength(1);
    taken();
    await settled();
    expect(sent).toEqual([
      [0, ['turn 0']],
      [1, ['turn 1', 'turn 2']],
    ]);
  });

  it('send at most fifty turns in one request', async () => {
    reports.note(Array.from({ length: 51 }, (_, n) => turn(n)));
    await settled();
    expect(sent.map(([first, texts]) => [first, texts.length])).toEqual([
      [0, 50],
      [50, 1],
    ]);
  });

  it.each([
    ['one is refused', () => (answer = Promise.reject(new Error('409')))],
    ['the call is over', () => reports.stop()],
  ])('end when %s', async (_, end) => {
    end();
    reports.note([turn(0)]);
    await settled();
    const before = sent.length;
    reports.note([turn(0), turn(1)]);
    await settled();
    expect(sent).toHaveLength(before);
    expect(warnings).toBe(before);
  });
});
