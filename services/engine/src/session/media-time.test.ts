import { MediaTime } from './media-time';

describe('conversion of media time to call time', () => {
  it('keeps the original times of audio that arrives late in a burst', () => {
    const time = new MediaTime();
    for (let ms = 20; ms <= 1_000; ms += 20) time.arrived(ms, 500 + ms + (ms % 60));
    // A stall of 400 ms: 20 packets arrive together.
    for (let ms = 1_020; ms <= 1_400; ms += 20) time.arrived(ms, 1_900);
    expect(time.at(1_200)).toBe(1_700);
    expect(time.watermark(1_400)).toBe(1_900);
  });

  it('adapts to a line that paused for more than two seconds', () => {
    const time = new MediaTime();
    time.arrived(1_000, 1_500);
    time.arrived(1_020, 11_500);
    expect(time.at(1_020)).toBe(11_500);
  });

  it.each([
    [1_999, 500],
    [2_000, 500],
    [2_001, 700],
  ])('uses the lowest latency of the last 2 s: %d ms later it is %d', (later, latency) => {
    const time = new MediaTime();
    time.arrived(1_000, 1_500);
    time.arrived(1_000 + later - 200, 1_500 + later);
    expect(time.at(0)).toBe(Math.min(latency, 700));
  });

  it('has watermarks that never decrease', () => {
    const time = new MediaTime();
    time.arrived(1_000, 1_800);
    expect(time.watermark(1_000)).toBe(1_800);
    // Audio arrives earlier, so the latency is lower from here on.
    time.arrived(1_100, 1_600);
    expect(time.at(1_000)).toBe(1_500);
    expect(time.watermark(1_100)).toBe(1_800);
  });
});
