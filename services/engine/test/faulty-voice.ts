import type { CallEffect } from '../src/core/effects';
import type { CallInput } from '../src/core/inputs';
import type { Random } from './random';

interface Surroundings {
  readonly now: number;
  readonly random: Random;
  readonly lineDeadAt: number;
  /** The probability that something fails. */
  readonly faults: number;
  /** What is reported next. */
  readonly pending: CallInput[];
  in(ms: number, run: () => void): void;
  fault(): boolean;
}

interface Spoken {
  text: string;
  /** The played part of the text. */
  position: number;
  finished: boolean;
  held: boolean;
  readonly sounds: boolean;
}

const msPerCharacter = 60;
const markMs = 500;

/** A voice and the line that plays it, with marks; either may fall silent, and marks may be lost. */
export class FaultyVoice {
  soundingUntil = -1;
  private readonly played = new Map<number, Spoken>();
  private readonly world: Surroundings;

  constructor(world: Surroundings) {
    this.world = world;
  }

  perform(effect: CallEffect): void {
    switch (effect.type) {
      case 'start_utterance':
        return this.start(effect.utterance, effect.held);
      case 'speak':
        return this.change(effect.utterance, (one) => (one.text += effect.text));
      case 'finish_utterance':
        return this.finish(effect.utterance);
      case 'hold_utterance':
        return this.change(effect.utterance, (one) => (one.held = true));
      case 'release_utterance':
        return this.change(effect.utterance, (one) => (one.held = false));
      case 'stop_utterance':
        this.played.delete(effect.utterance);
        this.soundingUntil = Math.min(this.soundingUntil, this.world.now);
        return;
      default:
        return;
    }
  }

  private start(utterance: number, held: boolean): void {
    const { world } = this;
    const { random } = world;
    const sounds = !world.fault();
    this.played.set(utterance, { text: '', position: 0, finished: false, held, sounds });
    if (sounds)
      world.in(random.between(50, 1_500), () => {
        world.pending.push({ type: 'speech_audio', utterance });
        this.play(utterance);
      });
    else if (random.chance(0.3))
      world.in(random.between(50, 5_000), () => world.pending.push({ type: 'speech_failed', utterance }));
  }

  private change(utterance: number, change: (one: Spoken) => void): void {
    const one = this.played.get(utterance);
    if (one !== undefined) change(one);
  }

  private finish(utterance: number): void {
    const one = this.played.get(utterance);
    if (one === undefined) return;
    if (this.world.fault()) return;
    one.finished = true;
    this.world.in(this.world.random.between(50, 1_000), () => {
      const durationMs = one.text.length * msPerCharacter;
      if (this.played.get(utterance) === one && one.sounds)
        this.world.pending.push({ type: 'speech_done', utterance, durationMs });
    });
  }

  /** The line plays what there is of an utterance, a mark after each part. */
  private play(utterance: number): void {
    const one = this.played.get(utterance);
    if (one === undefined) return;
    const stuck = this.world.random.chance(this.world.faults / 20);
    if (!one.held && this.world.now < this.world.lineDeadAt && one.position < one.text.length) {
      this.soundingUntil = Math.max(this.soundingUntil, this.world.now + markMs);
      one.position = Math.min(one.text.length, one.position + Math.round(markMs / msPerCharacter));
    }
    this.world.in(markMs, () => {
      if (this.played.get(utterance) !== one || stuck) return;
      if (this.world.now < this.world.lineDeadAt) {
        if (one.position > 0 && one.position < one.text.length)
          this.world.pending.push({
            type: 'played',
            utterance,
            offset: one.position,
            ms: one.position * msPerCharacter,
          });
        if (one.finished && one.position >= one.text.length) {
          this.world.pending.push({ type: 'playout_finished', utterance });
          this.played.delete(utterance);
          return;
        }
        if (one.position >= one.text.length)
          this.world.pending.push({ type: 'played', utterance, offset: one.text.length, ms: 0 });
      }
      this.play(utterance);
    });
  }
}
