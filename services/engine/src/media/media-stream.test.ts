import { CarrierLine } from '@parley/testing';
import { Registry } from 'prom-client';
import { concat, mixed, scaled, sentences, silence, speech, throughMuLaw, tone } from '../../test/waveforms';
import type { Line, LineEnd } from '../lines/line';
import { RepeatingAgent } from '../../test/repeating-agent';
import { MediaLoop, observeLateness } from './media-loop';
import { MediaStream, type MediaListener } from './media-stream';
import type { PacerClock } from './pacer';
import { VoiceModel } from './voice-model';

const rate = 8_000;
const frame = 160;
let model: VoiceModel;
let agent: Int16Array;
let caller: Int16Array;

beforeAll(async () => {
  model = await VoiceModel.load();
  agent = await speech(rate, [sentences[3]], 'slt');
  caller = await speech(rate, [sentences[1]], 'rms');
});

/** A call on a line that plays by the call's clock, step by step. The caller hears the agent, and the line returns an echo. */
class Call {
  now = 0;
  readonly reported: unknown[] = [];
  readonly stream: MediaStream;
  readonly line: CarrierLine;
  private wake: () => void = () => undefined;
  private readonly loop: MediaLoop;
  private judged: Promise<unknown> = Promise.resolve();

  constructor(listener?: MediaListener) {
    this.line = new CarrierLine(rate, 0, (name) => this.stream.marked(name));
    const line: Line = {
      sampleRate: rate,
      bufferedBytes: 0,
      isCongested: false,
      send: (samples) => this.line.receive(samples, this.now),
      mark: (name) => this.line.mark(name, this.now),
      clear: () => this.line.clear(this.now),
      hangUp: () => undefined,
    };
    const clock: PacerClock = {
      now: () => this.now,
      wakeAfter: (_, wake) => {
        this.wake = wake;
        return { cancel: () => undefined };
      },
    };
    this.stream = new MediaStream(line, listener ?? this.listener(), { now: () => this.now });
    const judge = (windows: Parameters<VoiceModel['judge']>[0]): Promise<Float32Array> => {
      const result = model.judge(windows);
      this.judged = result;
      return result;
    };
    this.loop = new MediaLoop({
      model: { judge },
      late: () => undefined,
      failed: (error) => this.reported.push(error),
      clock,
    });
    this.loop.start();
    this.loop.add(this.stream);
  }

  get live(): number {
    return this.loop.live;
  }

  add(stream: MediaStream): void {
    this.loop.add(stream);
  }

  /** The caller's speech, with `echo` of the line's playback mixed in after `delayMs`. */
  async hear(samples: Int16Array, echo = 0, delayMs = 0): Promise<void> {
    for (let at = 0; at + frame <= samples.length; at += frame) {
      this.now += 20;
      this.line.play(this.now);
      const end = (this.now - delayMs) * 8;
      const played = new Int16Array(frame);
      if (end >= frame) played.set(this.line.heard.subarray(end - frame, end));
      this.stream.audio(throughMuLaw(mixed(samples.slice(at, at + frame), scaled(played, echo))));
      this.wake();
      await this.judged;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  private listener(): MediaListener {
    const { reported } = this;
    return {
      audio: () => undefined,
      heard: () => undefined,
      speech: ({ type }) => reported.push(type),
      music: (change) => reported.push(change),
      tone: (tone) => reported.push(tone),
      pressed: (digits) => reported.push(digits),
      typed: (text) => reported.push(text),
      judged: () => undefined,
      ended: (end) => reported.push(end),
    };
  }
}

describe('audio processing of a call', () => {
  it('reports the start and the end of the caller’s speech', async () => {
    const call = new Call();
    await call.hear(caller);
    expect(call.reported).toEqual(['speech_started', 'speech_ended']);
  });

  it("does not mistake the agent's echo for the caller", async () => {
    const call = new Call();
    call.stream.playout.say('one', agent, call.now);
    await call.hear(silence(rate, 6_000), 0.3, 120);
    expect(call.stream.windows.echo).toBeGreaterThan(30);
    expect(call.reported).toEqual([]);
  });

  it('detects a caller who speaks over the echo of the agent', async () => {
    const call = new Call();
    call.stream.playout.say('one', agent, call.now);
    await call.hear(concat(silence(rate, 1_000), caller), 0.1, 120);
    expect(call.reported[0]).toBe('speech_started');
  });

  it('reports a DTMF key once if both the line and the audio contain it', async () => {
    const call = new Call();
    call.stream.pressed('4');
    await call.hear(concat(tone(rate, 100, [770, 1_209]), silence(rate, 200)));
    await call.hear(concat(tone(rate, 100, [770, 1_336]), silence(rate, 200)));
    call.stream.pressed('5');
    expect(call.reported).toEqual(['4', '5']);
  });

  it('recognizes the beep of a mailbox', async () => {
    const call = new Call();
    await call.hear(concat(silence(rate, 200), tone(rate, 400, [1_000]), silence(rate, 200)));
    expect(call.reported).toEqual(['beep']);
  });

  it('reports its end once, and nothing afterwards', async () => {
    const call = new Call();
    for (const end of ['hung_up_there', 'lost'] satisfies LineEnd[]) call.stream.ended(end);
    call.stream.pressed('1');
    call.stream.typed('hello');
    await call.hear(caller);
    expect(call.reported).toEqual(['hung_up_there']);
    expect(call.live).toBe(0);
  });
});

describe('the metric for late steps', () => {
  it('is a histogram of the lateness in seconds', async () => {
    const registry = new Registry();
    const late = observeLateness(registry);
    for (const ms of [0.5, 1.5, 12, 30]) late(ms);
    const [metric] = await registry.getMetricsAsJSON();
    const values = (metric?.values ?? []) as { labels: { le?: number | string }; value: number }[];
    const counts = [0.001, 0.015, '+Inf'].map((le) => values.find(({ labels }) => labels.le === le)?.value);
    expect([metric?.name, ...counts]).toEqual(['parley_media_step_lateness_seconds', 1, 3, 4]);
  });
});

describe('the media loop of all calls', () => {
  it('continues with the other calls when one fails', async () => {
    const call = new Call();
    const failing: Pick<MediaStream, 'isOver' | 'step' | 'voice'> = {
      isOver: false,
      voice: new Call().stream.voice,
      step: () => {
        throw new Error('a call that fails');
      },
    };
    call.add(failing as MediaStream);
    await call.hear(silence(rate, 40));
    call.stream.playout.say('one', agent, call.now);
    await call.hear(silence(rate, 2_000));
    expect(call.reported).toContainEqual(new Error('a call that fails'));
    expect(call.line.heard.length).toBeGreaterThan(rate);
  });
});

describe('an agent that repeats utterances', () => {
  it('repeats nothing when nothing was said', async () => {
    const repeating = new RepeatingAgent(() => 0);
    const call = new Call(repeating);
    repeating.attach(call.stream);
    await call.hear(silence(rate, 1_000));
    expect(call.line.heard).toHaveLength(0);
  });
});
