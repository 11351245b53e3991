import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { LateRefusals } from './late-refusals';

describe('LateRefusals', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const sent: number[] = [];
  let late: LateRefusals;
  beforeEach(() => {
    sent.length = 0;
    late = new LateRefusals();
  });

  const send = (nth: number, change: (request: IncomingMessage) => void = () => undefined): void => {
    const request = new IncomingMessage(new Socket());
    change(request);
    late.send(request, () => sent.push(nth));
  };

  it('sends one at once, and the others in their order, 10 ms apart', () => {
    for (const nth of [1, 2, 3]) send(nth);
    expect(sent).toEqual([1]);
    jest.advanceTimersByTime(9);
    expect(sent).toEqual([1]);
    jest.advanceTimersByTime(1);
    expect(sent).toEqual([1, 2]);
    jest.advanceTimersByTime(10);
    expect(sent).toEqual([1, 2, 3]);
    jest.advanceTimersByTime(9);
    send(4);
    expect(sent).toEqual([1, 2, 3]);
    jest.advanceTimersByTime(11);
    send(5);
    expect(sent).toEqual([1, 2, 3, 4, 5]);
  });

  it.each([
    ['whose body has arrived', (request: IncomingMessage) => (request.complete = true)],
    ['whose client has left', (request: IncomingMessage) => request.destroy()],
  ])('does not let a request wait %s', (_which, change) => {
    for (const nth of [1, 2]) send(nth);
    send(3, change);
    expect(sent).toEqual([1, 3]);
  });

  it.each([
    ['arrives within 50 ms is refused then, and may keep its connection', 49, true],
    ['does not is refused in its turn, and not read any more', 50, false],
  ])('a small body that %s', (_which, ms, keeps) => {
    send(1);
    const request = new IncomingMessage(new Socket());
    request.headers['content-length'] = '16384';
    late.send(request, () => sent.push(2));
    jest.advanceTimersByTime(ms);
    expect([sent, request.isPaused()]).toEqual([[1], !keeps]);
    if (keeps) request.emit('end');
    jest.advanceTimersByTime(10);
    request.emit('close');
    expect(sent).toEqual([1, 2]);
  });

  it('lets 4,096 wait', () => {
    for (let nth = 0; nth <= 4_096; nth += 1) send(nth);
    expect(sent).toEqual([0]);
    send(5_000);
    expect(sent).toEqual([0, 5_000]);
  });
});
