import { Playout } from './playout';

const second = 16_000;

describe('what the agent says', () => {
  let sent: number;
  let marks: string[];
  let clears: number;
  let played: number[];
  let playout: Playout;

  beforeEach(() => {
    jest.useFakeTimers({ now: 0 });
    [sent, marks, clears, played] = [0, [], 0, []];
    const line = {
      send: (samples: Int16Array) => void (sent += samples.length),
      mark: (name: string) => void marks.push(name),
      clear: () => void (clears += 1),
    };
    playout = new Playout(line, (turn) => void played.push(turn));
  });
  afterEach(() => {
    playout.end();
    jest.useRealTimers();
  });

  it('is sent 160 ms ahead of its playing, and no further', () => {
    playout.play(1, new Int16Array(second));
    expect(sent).toBe(160 * 16);
    jest.advanceTimersByTime(500);
    expect(sent).toBe(660 * 16);
    expect(marks).toEqual([]);
    jest.advanceTimersByTime(340);
    expect(sent).toBe(second);
    expect(marks).toEqual(['played-1']);
  });

  it('has played when its mark comes back; the next turn follows', () => {
    playout.play(1, new Int16Array(320));
    playout.play(2, new Int16Array(320));
    expect([sent, played]).toEqual([320, []]);
    playout.marked('played-7');
    expect(played).toEqual([]);
    playout.marked('played-1');
    expect([sent, played, marks]).toEqual([640, [1], ['played-1', 'played-2']]);
  });

  it('counts as played two seconds after its end where the mark does not come back', () => {
    playout.play(1, new Int16Array(second));
    jest.advanceTimersByTime(2_999);
    expect(played).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(played).toEqual([1]);
  });

  it('is cleared when it stops, and is not told as played', () => {
    playout.play(1, new Int16Array(second));
    playout.play(2, new Int16Array(second));
    playout.stop();
    const before = sent;
    jest.advanceTimersByTime(10_000);
    playout.marked('played-1');
    expect([sent, clears, played]).toEqual([before, 1, []]);
  });

  it('of which nothing is under way is not cleared', () => {
    playout.stop();
    expect(clears).toBe(0);
  });
});
