import { CarrierLine } from '@parley/testing';
import { concat, decibels, find, scaled, tone } from '../../test/waveforms';
import type { Line, SampleRate } from '../lines/line';
import { duckedTo, Playout } from './playout';

/** A playout, the far end of its line, and a clock shared by both. Messages take no time unless `delayMs` is set. */
class Rehearsal implements Pick<Line, 'sampleRate' | 'send' | 'mark' | 'clear'> {
  now = 0;
  marks = 0;
  clears = 0;
  answersMarks = true;
  marksLost = 0;
  isCongested = false;
  readonly heard: [string, number][] = [];
  readonly recorded: Int16Array[] = [];
  readonly line: CarrierLine;
  readonly playout: Playout;

  constructor(readonly sampleRate: SampleRate) {
    this.line = new CarrierLine(sampleRate, 0, (name) => {
      this.marks += 1;
      if (this.answersMarks) this.playout.marked(name, this.now);
    });
    this.playout = new Playout(this, {
      heard: (utterance, samples) => this.heard.push([utterance, samples]),
      played: (samples) => this.recorded.push(samples),
      marksLost: () => void (this.marksLost += 1),
    });
  }

  send(samples: Int16Array): void {
    this.line.receive(samples, this.now);
  }

  mark(name: string): void {
    this.line.mark(name, this.now);
  }

  clear(): void {
    this.clears += 1;
    this.line.clear(this.now);
  }

  /** Advances by milliseconds, with a step at every twentieth. */
  run(ms: number): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += 1;
      this.line.play(this.now);
      if (this.now % 20 === 0) this.playout.fill(this.now);
    }
  }

  at(ms: number): number {
    return (ms * this.sampleRate) / 1000;
  }
}

const rates: readonly SampleRate[] = [8_000, 16_000];
const quiet = (samples: Int16Array): boolean => samples.length === 0 || decibels(samples) < -60;

describe.each(rates)('playback to a line at %i Hz', (rate) => {
  let call: Rehearsal;
  const speech = tone(rate, 1_000, [440]);
  const bed = tone(rate, 400, [100], 0.01);

  beforeEach(() => {
    call = new Rehearsal(rate);
  });

  it('plays speech completely and immediately', () => {
    call.run(100);
    call.playout.say('one', speech, call.now);
    call.run(1_200);
    const { at, correlation } = find(speech, call.line.heard);
    expect(correlation).toBeGreaterThan(0.999);
    expect(at).toBe(call.at(100));
  });

  it('sends audio 100 to 160 ms ahead of its playback', () => {
    call.playout.bed = bed;
    call.run(200);
    call.line.leadMs.length = 0;
    call.run(5_000);
    expect(Math.min(...call.line.leadMs)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...call.line.leadMs)).toBeLessThanOrEqual(160);
    expect(call.line.gapMs).toEqual([]);
    expect(call.playout.ranDry).toBe(0);
  });

  it('requests a mark every 100 ms and at the end', () => {
    call.playout.say('one', tone(rate, 330, [440]), call.now);
    call.run(1_000);
    expect(call.marks).toBe(4);
  });

  it('plays speech immediately even if background audio is queued', () => {
    call.playout.bed = bed;
    call.run(505);
    call.playout.say('one', speech, call.now);
    call.run(1_500);
    const { at } = find(speech, call.line.heard);
    expect(at).toBeLessThanOrEqual(call.at(515));
  });

  it('continues the background audio at the same position when speech begins', () => {
    call.playout.bed = bed;
    call.run(505);
    call.playout.say('one', scaled(speech, 0), call.now);
    call.run(600);
    const before = find(bed, call.line.heard.subarray(call.at(0), call.at(500)));
    const after = find(bed, call.line.heard.subarray(call.at(600)));
    expect(before.correlation).toBeGreaterThan(0.99);
    expect(after.correlation).toBeGreaterThan(0.99);
  });

  it('plays background audio at its level, and at a lower level while there is speech', () => {
    call.playout.bed = bed;
    call.run(1_000);
    call.playout.say('one', scaled(speech, 0), call.now);
    call.run(2_600);
    const at = (from: number, to: number): number => decibels(call.line.heard.subarray(call.at(from), call.at(to)));
    expect(at(200, 1_000)).toBeCloseTo(decibels(bed), 0);
    expect(at(1_200, 1_900) - decibels(bed)).toBeCloseTo(20 * Math.log10(duckedTo), 0);
    expect(at(2_300, 2_600)).toBeCloseTo(decibels(bed), 0);
  });

  it('changes the level of the background audio without a step', () => {
    call.playout.bed = new Int16Array(rate).fill(8_000);
    call.run(1_000);
    call.playout.say('one', scaled(speech, 0), call.now);
    call.run(2_600);
    const heard = call.line.heard.subarray(call.at(200), call.at(2_600));
    let largest = 0;
    for (let n = 1; n < heard.length; n += 1)
      largest = Math.max(largest, Math.abs((heard[n] as number) - (heard[n - 1] as number)));
    expect(Math.min(...heard)).toBeLessThan(4_500);
    // The largest quantization step of mu-law at this level is 256.
    expect(largest).toBeLessThanOrEqual(256);
  });

  it('plays only background audio immediately after a stop', () => {
    call.playout.bed = bed;
    call.playout.say('one', speech, call.now);
    call.run(500);
    call.playout.stop(call.now);
    call.run(500);
    const after = call.line.heard.subarray(call.at(501));
    expect(decibels(after)).toBeLessThan(-35);
    expect(decibels(after)).toBeGreaterThan(-50);
    expect(call.playout.isSpeaking(call.now)).toBe(false);
  });

  it('reports after a stop how much of each utterance was played, to within 25 ms', () => {
    call.playout.say('one', tone(rate, 300, [440]), call.now);
    call.playout.say('two', speech, call.now);
    call.run(700);
    call.playout.stop(call.now);
    expect(call.playout.heardOf('one')).toBe(call.at(300));
    expect(Math.abs(call.playout.heardOf('two') - call.at(400))).toBeLessThanOrEqual(call.at(25));
    call.run(1_000);
    expect(Math.abs(call.playout.heardOf('two') - call.at(400))).toBeLessThanOrEqual(call.at(25));
  });

  it('reports how far each utterance has played, up to its end', () => {
    call.playout.say('one', speech.subarray(0, call.at(300)), call.now);
    call.playout.say('one', speech.subarray(call.at(300)), call.now);
    call.run(1_500);
    const reported = call.heard.map(([, samples]) => samples);
    expect(reported).toEqual([...reported].sort((a, b) => a - b));
    expect(call.heard.at(-1)).toEqual(['one', speech.length]);
    expect(call.playout.isSpeaking(call.now)).toBe(false);
  });

  it('mixes effects into speech without stopping it', () => {
    call.playout.say('one', speech, call.now);
    call.run(300);
    const click = tone(rate, 100, [1_500], 0.1);
    call.playout.effect('click', click, call.now);
    call.run(1_200);
    expect(call.clears).toBe(0);
    const { at, correlation } = find(click, call.line.heard);
    expect(correlation).toBeGreaterThan(0.3);
    expect(at).toBeGreaterThanOrEqual(call.at(300));
    expect(at).toBeLessThanOrEqual(call.at(300 + 165));
  });

  it('repeats effects that were discarded when speech began', () => {
    const sweep = Int16Array.from({ length: call.at(1_000) }, (_, n) => 5_000 * Math.sin((n * n * 3e7) / rate ** 3));
    call.playout.effect('sweep', sweep, call.now);
    call.run(300);
    call.playout.say('one', scaled(speech, 0.001), call.now);
    call.run(1_500);
    expect(call.clears).toBe(1);
    const later = find(sweep.subarray(call.at(320), call.at(900)), call.line.heard);
    expect(later.correlation).toBeGreaterThan(0.99);
    expect(Math.abs(later.at - call.at(320))).toBeLessThanOrEqual(call.at(10));
  });

  it('ends effects immediately while there is no speech', () => {
    call.playout.effect('keys', tone(rate, 5_000, [1_000]), call.now);
    call.run(500);
    call.playout.stopEffects(call.now);
    call.run(500);
    expect(quiet(call.line.heard.subarray(call.at(501)))).toBe(true);
  });

  it('clips too loud sums instead of overflowing', () => {
    const loud = Int16Array.from({ length: call.at(500) }, () => 30_000);
    call.playout.say('one', loud, call.now);
    call.playout.effect('two', loud, call.now);
    call.run(900);
    expect(Math.min(...call.line.heard)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...call.line.heard)).toBe(32_767);
  });

  it('reports played audio at the time at which it was played', () => {
    call.playout.fill(call.now);
    call.run(200);
    call.playout.say('one', tone(rate, 300, [440]), call.now);
    call.run(700);
    call.playout.say('two', tone(rate, 300, [880]), call.now);
    call.run(700);
    const recorded = concat(...call.recorded);
    expect(Math.abs(recorded.length - call.at(1_600))).toBeLessThanOrEqual(call.at(25));
    for (const hertz of [440, 880]) {
      const wanted = tone(rate, 300, [hertz]);
      const shift = find(wanted, recorded).at - find(wanted, call.line.heard).at;
      expect(Math.abs(shift)).toBeLessThanOrEqual(call.at(10));
    }
  });

  it('does not report audio that was discarded by a stop as played', () => {
    call.playout.say('one', speech, call.now);
    call.run(400);
    call.playout.stop(call.now);
    call.run(800);
    const recorded = concat(...call.recorded);
    expect(quiet(recorded.subarray(call.at(425)))).toBe(true);
    expect(quiet(recorded.subarray(call.at(300), call.at(375)))).toBe(false);
  });

  it('waits on a line that returns no marks, and goes on by the clock after 3 s', () => {
    call.answersMarks = false;
    call.playout.say('one', tone(rate, 5_000, [440]), call.now);
    call.run(3_000);
    expect(call.playout.heardOf('one')).toBeLessThanOrEqual(call.at(1_125));
    expect([call.playout.isSpeaking(call.now), call.marksLost]).toEqual([true, 0]);
    call.run(200);
    expect(call.marksLost).toBe(1);
    call.run(2_000);
    // What stood still was neither sent nor heard.
    expect(call.playout.heardOf('one')).toBeLessThanOrEqual(call.at(3_300));
    call.run(2_500);
    expect([call.playout.heardOf('one'), call.marksLost]).toEqual([call.at(5_000), 1]);
  });

  it('does not take the marks for lost because this process was suspended', () => {
    call.answersMarks = false;
    call.playout.say('one', tone(rate, 5_000, [440]), call.now);
    call.run(500);
    call.now += 10_000;
    call.playout.fill(call.now);
    call.run(1_000);
    expect(call.marksLost).toBe(0);
  });

  it('sends nothing while the line is congested, and the rest afterwards', () => {
    call.playout.say('one', speech, call.now);
    call.run(300);
    call.isCongested = true;
    call.run(2_000);
    expect(call.playout.heardOf('one')).toBeLessThan(speech.length);
    call.isCongested = false;
    call.run(2_000);
    expect(call.playout.heardOf('one')).toBe(speech.length);
  });

  it('keeps the recording in time when the last mark of an utterance is lost', () => {
    call.playout.fill(call.now);
    call.playout.say('one', speech.subarray(0, call.at(200)), call.now);
    call.run(150);
    call.answersMarks = false;
    call.run(4_850);
    expect(Math.abs(concat(...call.recorded).length - call.at(5_000))).toBeLessThanOrEqual(call.at(25));
  });

  it('ignores marks from before a buffer underrun', () => {
    call.playout.bed = bed;
    call.playout.fill(call.now);
    call.run(500);
    call.now += 400;
    call.playout.fill(call.now);
    call.line.play(call.now);
    call.run(80);
    expect(Math.abs(concat(...call.recorded).length - call.at(980))).toBeLessThanOrEqual(call.at(25));
  });

  it('ignores a lost mark when a later one was returned', () => {
    call.answersMarks = false;
    call.playout.say('one', speech, call.now);
    call.run(250);
    call.answersMarks = true;
    call.run(1_000);
    expect(call.playout.heardOf('one')).toBe(speech.length);
    expect(call.playout.overdueMs(call.now)).toBe(0);
  });

  it.each(['steps', 'receives marks'])('refills the line after the process was blocked and then %s first', (first) => {
    call.playout.bed = bed;
    call.run(500);
    call.now += 400;
    if (first === 'steps') call.playout.fill(call.now);
    call.line.play(call.now);
    call.run(400);
    call.line.leadMs.length = 0;
    call.run(1_000);
    expect(call.playout.ranDry).toBe(1);
    expect(call.line.gapMs).toHaveLength(1);
    expect(Math.min(...call.line.leadMs)).toBeGreaterThanOrEqual(95);
    expect(Math.max(...call.line.leadMs)).toBeLessThanOrEqual(165);
  });

  it.each([
    [120, true],
    [120.1, false],
  ])('accepts %d s of queued speech: %s', (seconds, taken) => {
    const second = new Int16Array(rate);
    for (let n = 0; n < 119; n += 1) call.playout.say('one', second, call.now);
    const waiting = call.at(140);
    expect(call.playout.say('one', new Int16Array((seconds - 119) * rate + waiting), call.now)).toBe(taken);
  });

  it('returns the audio that is audible at a given time', () => {
    call.playout.say('one', speech, call.now);
    call.run(600);
    const audible = new Int16Array(call.at(100));
    call.playout.audibleUntil(call.now, audible);
    expect(find(audible, call.line.heard.subarray(0, call.at(620))).correlation).toBeGreaterThan(0.99);
    call.playout.audibleUntil(call.now + 5_000, audible);
    expect(quiet(audible)).toBe(true);
  });

  it.each([
    ['before the beginning', 0, 'end'],
    ['after what was sent', 1_000, 'start'],
  ])('returns silence for the part of a period that is %s', (_, ms, part) => {
    call.playout.say('one', speech, call.now);
    call.run(600);
    const audible = new Int16Array(call.at(400)).fill(30_000);
    call.playout.audibleUntil(ms === 0 ? 200 : ms, audible);
    const [known, unknown] =
      part === 'end'
        ? [audible.subarray(call.at(200)), audible.subarray(0, call.at(200))]
        : [audible.subarray(0, call.at(100)), audible.subarray(call.at(160))];
    expect(unknown.every((sample) => sample === 0)).toBe(true);
    expect(find(known, call.line.heard.subarray(0, call.at(760))).correlation).toBeGreaterThan(0.99);
  });
});
