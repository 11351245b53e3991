import type { WorkerJob } from '@parley/contract';
import { plainBehavior } from './plain-behavior';
import type { CallEffect } from '../src/core/effects';
import type { CallInput, ToolCall } from '../src/core/inputs';
import { planOf, type CallPlan } from '../src/core/plan';
import type { CallState } from '../src/core/state';
import type { ResumedCall } from '../src/core/state';
import { nextDeadline, startCall, step } from '../src/core/step';

/** The plan of a call with nothing set. */
export const plan: CallPlan = {
  ...planOf({ call: { direction: 'outbound', language: 'en-US' } as WorkerJob['call'], runtime_configuration: {} }),
  conduct: plainBehavior,
  greeting: 'Good morning.',
};

/** The playback time of every utterance, unless the test ends it. */
const playsForMs = 600_000;

export interface ConversationOptions {
  /** First watermark of received audio. Default: a line without audio, on which nothing waits for any. */
  readonly received?: number;
  /** The voice gives sound at once. Default true. */
  readonly sounds?: boolean;
  /** Another process conducted the call until now. */
  readonly resumed?: ResumedCall;
}

interface Timed {
  readonly at: number;
  readonly effect: CallEffect;
}

type Type = CallEffect['type'];
type Of<T extends Type> = Extract<CallEffect, { type: T }>;

/** A call under test: takes inputs at given times, and collects effects with their times. */
export class Conversation {
  state: CallState;
  now = 0;
  readonly timed: Timed[] = [];
  /** The voice gives sound at once. */
  sounds: boolean;
  private segment = 0;

  constructor(change: Partial<CallPlan> = {}, options: ConversationOptions = {}) {
    this.sounds = options.sounds ?? true;
    const first = startCall({ ...plan, ...change }, 0, options.resumed ?? null);
    this.state = first.state;
    for (const effect of first.effects) this.timed.push({ at: 0, effect });
  }

  /** Answered at 0, with media at once. */
  static answered(change: Partial<CallPlan> = {}, options: ConversationOptions = {}): Conversation {
    const media = { type: 'media_started', received: options.received ?? null } as const;
    return new Conversation(change, options).at(0, 'permitted', 'answered', media);
  }

  /** The agent has said its greeting by 1,000. */
  static opened(change: Partial<CallPlan> = {}, options: ConversationOptions = {}): Conversation {
    return Conversation.answered({ firstSpeaker: 'agent', ...change }, options).spoken(1_000);
  }

  /** A question of the caller, which ended at 2,500, is answered from 10,000 on: the model was asked. */
  static asked(change: Partial<CallPlan> = {}, options: ConversationOptions = {}): Conversation {
    const endOfTurn = { finished: 1_000, unfinished: 1_000, withoutDetector: 1_000 };
    const call = Conversation.opened({ endOfTurn, speculates: false, ...change }, options);
    return call.says('What does it cost?', 8_000, 9_000).at(10_000);
  }

  /** Runs the deadlines up to a moment, then takes inputs at it. */
  at(now: number, ...inputs: readonly (CallInput | 'permitted' | 'answered' | 'hung_up')[]): this {
    for (let due = nextDeadline(this.state); due !== undefined && due <= now; due = nextDeadline(this.state))
      this.take({ type: 'tick' }, due);
    this.now = now;
    for (const input of inputs) this.take(typeof input === 'string' ? { type: input } : input, now);
    if (inputs.length === 0) this.take({ type: 'tick' }, now);
    return this;
  }

  /** From now on, the test controls the events of the voice. */
  mute(): this {
    this.sounds = false;
    return this;
  }

  private take(input: CallInput, at: number): void {
    const { state, effects } = step(this.state, { at, input });
    this.state = state;
    for (const effect of effects) this.timed.push({ at, effect });
    for (const effect of effects) {
      if (!this.sounds) continue;
      if (effect.type === 'start_utterance') this.take({ type: 'speech_audio', utterance: effect.utterance }, at);
      if (effect.type === 'finish_utterance')
        this.take({ type: 'speech_done', utterance: effect.utterance, durationMs: playsForMs }, at);
    }
  }

  /** Speech whose end is reported at once, understood at once. */
  says(text: string, since: number, lastVoice: number): this {
    return this.at(since, { type: 'speech_started', since })
      .at(lastVoice, { type: 'speech_ended', lastVoice })
      .at(lastVoice, this.final(text));
  }

  final(text: string, language?: string): CallInput {
    this.segment += 1;
    return { type: 'final', segment: this.segment, text, ...(language === undefined ? {} : { language }) };
  }

  /** Partial text of the segment that the next `final` ends. */
  partial(text: string): CallInput {
    return { type: 'partial', segment: this.segment + 1, text };
  }

  get attempt(): number {
    return this.last('start_model').attempt;
  }

  get utterance(): number {
    return this.last('start_utterance').utterance;
  }

  /** The model's whole reply. */
  replies(now: number, text: string, ...tools: readonly ToolCall[]): this {
    const { attempt } = this;
    if (text !== '') this.at(now, { type: 'model_delta', attempt, text });
    for (const call of tools) this.at(now, { type: 'model_tool_call', attempt, call });
    return this.at(now, { type: 'model_done', attempt });
  }

  /** The current utterance was played completely. */
  spoken(now: number): this {
    return this.at(now, { type: 'playout_finished', utterance: this.utterance });
  }

  played(now: number, offset: number): this {
    return this.at(now, { type: 'played', utterance: this.utterance, offset, ms: offset * 60 });
  }

  get effects(): readonly CallEffect[] {
    return this.timed.map(({ effect }) => effect);
  }

  types(): readonly string[] {
    return this.effects.map((effect) => (effect.type === 'report' ? effect.event.type : effect.type));
  }

  all<T extends Type>(type: T): readonly Of<T>[] {
    return this.effects.filter((effect): effect is Of<T> => effect.type === type);
  }

  count(type: Type): number {
    return this.all(type).length;
  }

  last<T extends Type>(type: T): Of<T> {
    const found = this.all(type).at(-1);
    if (found === undefined) throw new Error(`no ${type} among ${this.types().join(', ')}`);
    return found;
  }

  /** When an effect of this type was last asked for. */
  when(type: Type): number | undefined {
    return this.timed.findLast(({ effect }) => effect.type === type)?.at;
  }

  /** The texts of all utterances. */
  get said(): readonly string[] {
    const texts = new Map<number, string>();
    for (const { utterance, text } of this.all('speak')) texts.set(utterance, (texts.get(utterance) ?? '') + text);
    return [...texts.values()];
  }

  get ended(): string | undefined {
    return this.state.phase === 'over' ? this.last('report').event.ended_reason : undefined;
  }

  get detail(): string | undefined {
    return this.last('report').event.reason_detail;
  }
}

export const tool = (name: string, given: unknown = {}, id = 'tool-1'): ToolCall => ({
  id,
  name,
  arguments: JSON.stringify(given),
});
