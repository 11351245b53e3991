import { Histogram, type Registry } from 'prom-client';
import { Pacer, type PacerClock } from './pacer';
import type { MediaStream } from './media-stream';
import { VoiceActivity } from './voice-activity';
import type { VoiceModel } from './voice-model';

const stepMs = 20;

export interface MediaLoopOptions {
  readonly model: Pick<VoiceModel, 'judge'>;
  /** Called for each due step, with its lateness in ms. */
  readonly late: (ms: number) => void;
  /** Called if a step or its analysis throws: an error in one call must not end the others. */
  readonly failed: (error: unknown) => void;
  readonly clock?: PacerClock;
}

/** All calls of this process on one 20 ms schedule: each step fills every line, then runs one inference over the input of all calls. */
export class MediaLoop {
  private readonly streams = new Set<MediaStream>();
  private readonly pacer: Pacer;
  private readonly activity: VoiceActivity;

  constructor(private readonly options: MediaLoopOptions) {
    this.activity = new VoiceActivity(options.model);
    const { late, clock } = options;
    this.pacer = new Pacer({ everyMs: stepMs, step: (now) => this.step(now), late, clock });
  }

  get live(): number {
    return this.streams.size;
  }

  start(): void {
    this.pacer.start();
  }

  stop(): void {
    this.pacer.stop();
  }

  /** Adds the stream until it is over. Its first fill happens now and not at the next step, which may be late. */
  add(stream: MediaStream): void {
    this.streams.add(stream);
    this.fill(stream, (this.options.clock ?? performance).now());
  }

  private step(now: number): void {
    for (const stream of this.streams) this.fill(stream, now);
    this.activity.judge([...this.streams].map(({ voice }) => voice)).catch(this.options.failed);
  }

  private fill(stream: MediaStream, now: number): void {
    try {
      if (stream.isOver) this.streams.delete(stream);
      else stream.step(now);
    } catch (error) {
      this.options.failed(error);
    }
  }
}

/** parley_media_step_lateness_seconds: the lateness of the 20 ms steps. Returns the callback for a MediaLoop. */
export function observeLateness(registry: Registry): (ms: number) => void {
  const histogram = new Histogram({
    name: 'parley_media_step_lateness_seconds',
    help: 'Lateness of the steps of 20 ms in which the lines of all calls are filled',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.04, 0.05, 0.1, 0.25, 1],
    registers: [registry],
  });
  return (ms) => histogram.observe(ms / 1000);
}
