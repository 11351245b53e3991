import { setTimeout as pause } from 'node:timers/promises';
import type { Audio, Carrier, CarrierEvent, Line as DialledLine } from '../carriers/carrier';
import type { BrowserLine } from '../lines/browser';
import type { LineEnd, LineListener } from '../lines/line';
import { EnergyDetector, silentAfterMs } from './energy-detector';
import { Playout } from './playout';

const samplesPerMs = 16;

/** A typed turn counts as speech of this length, which interrupts the agent. */
const typedMs = 550;

/** Typed turns that were not taken yet, the one under way among them. */
const mostTyped = 8;

/** A typed turn is no sound. */
const typedAudio = (text: string): Audio => ({ format: 'simulated', text, durationMs: 0 });

/** A line that is connected already, as the conversation knows lines: dialling it takes it up. */
export const browserCarrier = (line: BrowserLine): Carrier => ({
  dial: (_call, _clock, tell) => new ConnectedBrowser(line, tell),
});

class ConnectedBrowser implements DialledLine, LineListener {
  private readonly playout: Playout;
  private readonly detector: EnergyDetector;
  private silence: NodeJS.Timeout | undefined;
  private over = false;
  private typing: Promise<void> = Promise.resolve();
  private untaken = 0;

  constructor(
    private readonly line: BrowserLine,
    private readonly tell: (event: CarrierEvent) => void,
  ) {
    this.playout = new Playout(line, (turn) => this.say({ type: 'played', turn }));
    this.detector = new EnergyDetector({
      started: () => this.say({ type: 'speech_started' }),
      ended: (samples) => this.say({ type: 'speech_ended', audio: spoken(samples) }),
    });
    // After the step that dials: an input must not come in the midst of another one's actions.
    queueMicrotask(() => {
      line.notice({ type: 'ready' });
      this.say({ type: 'answered' });
      this.say({ type: 'media_started' });
      line.listen(this);
    });
  }

  play(turn: number, { samples }: Audio): void {
    this.playout.play(turn, samples ?? new Int16Array(0));
  }

  /** One track: what would be heard next to what the agent says is left out. */
  playBeside(): void {}

  stopBeside(): void {}

  /** A browser takes no keys. */
  press(): void {}

  stopPlaying(): void {
    this.playout.stop();
  }

  hangUp(): void {
    this.stop();
    this.line.hangUp();
  }

  audio(samples: Int16Array): void {
    clearTimeout(this.silence);
    this.detector.hear(samples);
    if (this.detector.hearsSpeech) this.silence = setTimeout(() => this.detector.flush(), silentAfterMs);
  }

  marked(name: string): void {
    this.playout.marked(name);
  }

  /** Keys mean nothing to this agent. */
  pressed(): void {}

  typed(text: string): void {
    if (this.over) return;
    if (this.untaken >= mostTyped) return this.line.overrun();
    this.untaken += 1;
    this.typing = this.typing.then(() => this.take(text));
  }

  private async take(text: string): Promise<void> {
    if (this.over) return;
    this.detector.flush();
    this.say({ type: 'speech_started' });
    await pause(typedMs);
    this.untaken -= 1;
    this.say({ type: 'speech_ended', audio: typedAudio(text) });
  }

  ended(end: LineEnd): void {
    if (end === 'hung_up_there') this.say({ type: 'hung_up' });
    else if (end !== 'hung_up_here') this.say({ type: 'failed', reason: 'carrier_failure' });
    this.stop();
  }

  private say(event: CarrierEvent): void {
    if (!this.over) this.tell(event);
  }

  private stop(): void {
    this.over = true;
    clearTimeout(this.silence);
    this.playout.end();
  }
}

const spoken = (samples: Int16Array): Audio => ({
  format: 'pcm',
  text: '',
  durationMs: samples.length / samplesPerMs,
  samples,
});
