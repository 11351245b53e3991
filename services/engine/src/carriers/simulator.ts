import { speechOf } from '../providers/simulator/simulated-speech';
import { calleeScript, type CalleeAct } from './callee-scripts';
import type { Audio, CallClock, Carrier, CarrierEvent, Line } from './carrier';

/** Between the answer and the first sound; milliseconds of call time. */
const mediaDelayMs = 200;

/** A carrier that needs no network: the dialled number decides what happens (decisions section 5). */
export const simulatorCarrier: Carrier = {
  dial: (call, clock, tell) => new SimulatedLine(calleeScript(call.to), clock, tell),
};

interface Playing {
  readonly turn: number;
  readonly audio: Audio;
}

class SimulatedLine implements Line {
  private over = false;
  private place = 0;
  private readonly queue: Playing[] = [];
  private playing: Playing | undefined;
  private takeBackPlaying: (() => void) | undefined;
  private takeBackScript: (() => void) | undefined;
  /** What the script does as soon as the agent is silent. */
  private onSilence: (() => void) | undefined;
  /** While the callee listens: whether it has heard the agent since. */
  private heardAgent = false;

  constructor(
    private readonly script: readonly CalleeAct[],
    private readonly clock: CallClock,
    private readonly tell: (event: CarrierEvent) => void,
  ) {
    this.next();
  }

  play(turn: number, audio: Audio): void {
    if (this.over) return;
    this.queue.push({ turn, audio });
    if (this.playing === undefined) this.playNext();
  }

  /** The scripted callee does not mind a second track, and its menu takes any key. */
  playBeside(): void {}

  stopBeside(): void {}

  press(): void {}

  stopPlaying(): void {
    this.queue.length = 0;
    this.takeBackPlaying?.();
    this.playing = undefined;
    this.silence();
  }

  hangUp(): void {
    this.over = true;
    this.takeBackPlaying?.();
    this.takeBackScript?.();
  }

  private playNext(): void {
    this.playing = this.queue.shift();
    if (this.playing === undefined) return this.silence();
    const { turn, audio } = this.playing;
    this.heardAgent = true;
    this.takeBackPlaying = this.clock.after(audio.durationMs, () => {
      this.tell({ type: 'played', turn });
      this.playNext();
    });
  }

  private silence(): void {
    const run = this.onSilence;
    this.onSilence = undefined;
    run?.();
  }

  /** The next act; every act ends by calling this again. */
  private readonly next = (): void => {
    const act = this.script[this.place];
    this.place += 1;
    if (this.over || act === undefined) return;
    this.perform(act);
  };

  private later(ms: number, run: () => void): void {
    this.takeBackScript = this.clock.after(ms, () => {
      if (!this.over) run();
    });
  }

  private perform(act: CalleeAct): void {
    switch (act.act) {
      case 'wait':
        return this.later(act.ms, this.next);
      case 'answer':
        this.tell({ type: 'answered' });
        return this.later(mediaDelayMs, () => {
          this.tell({ type: 'media_started' });
          this.next();
        });
      case 'fail':
        return this.last({ type: 'failed', reason: act.reason });
      case 'say':
        return act.waitsForTurn ? this.whenSilent(() => this.say(act.text)) : this.say(act.text);
      case 'listen':
        return this.listen(act.mostMs);
      case 'beep':
        this.tell({ type: 'tone' });
        return this.next();
      case 'music':
        this.tell({ type: 'music_started' });
        return this.later(act.ms, () => {
          this.tell({ type: 'music_ended' });
          this.next();
        });
      case 'hang_up':
        return this.last({ type: 'hung_up' });
    }
  }

  private last(event: CarrierEvent): void {
    this.hangUp();
    this.tell(event);
  }

  private say(text: string): void {
    const audio = speechOf(text);
    this.heardAgent = false;
    this.tell({ type: 'speech_started' });
    this.later(audio.durationMs, () => {
      this.tell({ type: 'speech_ended', audio });
      this.next();
    });
  }

  private whenSilent(run: () => void): void {
    if (this.playing === undefined) run();
    else this.onSilence = () => !this.over && run();
  }

  private listen(mostMs: number): void {
    if (this.heardAgent && this.playing === undefined) return this.next();
    const goOn = (): void => {
      this.takeBackScript?.();
      this.next();
    };
    this.onSilence = goOn;
    this.later(mostMs, () => {
      // Still speaking: one does not hang up in the middle of a sentence.
      if (this.playing !== undefined) return;
      this.onSilence = undefined;
      this.next();
    });
  }
}
