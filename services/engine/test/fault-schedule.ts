import type { CallEffect } from '../src/core/effects';
import type { CallInput } from '../src/core/inputs';
import type { CallPlan } from '../src/core/plan';
import type { CallState, DeadlineName } from '../src/core/state';
import { awaitedAudio, nextDeadline, startCall, step, type TimedInput } from '../src/core/step';
import { scriptOf, words, type Speech } from './caller-script';
import { FaultyVoice } from './faulty-voice';
import { Random } from './random';

/** Callbacks for the progress of a call. */
export interface Watcher {
  /** Before a step: the state has held since the step before. */
  passed(state: CallState, world: World, now: number): void;
  stepped(before: CallState, after: CallState, effects: readonly CallEffect[], world: World, at: TimedInput): void;
  over(state: CallState, world: World, now: number): void;
}

interface Event {
  readonly at: number;
  readonly run: () => void;
}

/**
 * One call in a world whose parts fail by a seeded schedule: a line that goes dead, reports of the detector that are lost, a transcriber, a model, a voice and
 * tools that stall, fail or are slow, marks that are lost. Time is virtual.
 */
export class World {
  state: CallState;
  now = 0;
  readonly random: Random;
  /** When the line went dead; nothing is heard from then on, either way. */
  readonly lineDeadAt: number;
  /** Steps that the core has taken. */
  steps = 0;
  readonly speeches: readonly Speech[];
  readonly reportsVoice: boolean;
  readonly hasAudio: boolean;
  private events: Event[] = [];
  readonly pending: CallInput[] = [];
  private readonly voice = new FaultyVoice(this);
  private segment = 0;
  readonly faults: number;
  private transcriberDeadAt: number;

  readonly plan: CallPlan;
  private readonly without: DeadlineName | undefined;

  /** @param without a deadline that the core loses whenever it sets it */
  constructor(seed: number, plan: CallPlan, without: DeadlineName | undefined) {
    this.plan = plan;
    this.without = without;
    this.random = new Random(seed);
    const { random } = this;
    this.faults = random.of([0, 0.05, 0.2, 0.5]);
    this.hasAudio = random.chance(0.9);
    this.reportsVoice = random.chance(0.7);
    this.lineDeadAt = this.hasAudio && random.chance(0.1) ? random.between(1_000, 60_000) : Infinity;
    this.transcriberDeadAt = random.chance(this.faults / 2) ? random.between(1_000, 60_000) : Infinity;
    this.speeches = this.hasAudio ? scriptOf(random, plan) : [];
    this.state = startCall(plan).state;
  }

  /** Runs the call to its end. */
  run(watcher: Watcher): void {
    this.feed(watcher, { type: 'permitted' });
    this.connect();
    const horizon = 130_000 + this.plan.maxCallMs + 60_000;
    for (let steps = 0; !this.isOver && this.now < horizon; steps += 1) {
      if (steps > 50_000) throw new Error('the call does not get on');
      const event = this.earliest();
      const deadline = nextDeadline(this.state) ?? Infinity;
      const audio = this.awaitedAt();
      const at = Math.min(event?.at ?? Infinity, Math.max(deadline, this.now), audio, horizon);
      watcher.passed(this.state, this, at);
      this.now = at;
      if (event !== undefined && event.at <= at) {
        this.events = this.events.filter((other) => other !== event);
        this.tick(watcher);
        event.run();
      } else this.tick(watcher);
      while (this.pending.length > 0 && !this.isOver) this.feed(watcher, this.pending.shift() as CallInput);
    }
    watcher.over(this.state, this, this.now);
  }

  /** Sound of the agent is really on the line until then. */
  get soundingUntil(): number {
    return this.voice.soundingUntil;
  }

  private get isOver(): boolean {
    return this.state.phase === 'over';
  }

  private received(): number {
    return Math.min(this.now, this.lineDeadAt);
  }

  /** When the audio that is awaited comes. */
  private awaitedAt(): number {
    const awaited = awaitedAudio(this.state);
    if (awaited === undefined || awaited >= this.lineDeadAt) return Infinity;
    if (awaited > this.now) return awaited;
    // The voice of the speech that is under way goes on, or it does not and its end is reported.
    return this.now + 20;
  }

  private tick(watcher: Watcher): void {
    if (!this.hasAudio) return this.feed(watcher, { type: 'tick' });
    const received = this.received();
    const speech = this.speeches.findLast(({ start }) => start <= received);
    const voiced = this.reportsVoice && speech !== undefined ? Math.min(received, speech.end) : undefined;
    this.feed(watcher, { type: 'tick', received, ...(voiced === undefined ? {} : { voiced }) });
  }

  private feed(watcher: Watcher, input: CallInput): void {
    const before = this.state;
    if (before.phase === 'over') return;
    this.steps += 1;
    const { state, effects } = step(before, { at: this.now, input });
    this.state =
      this.without === undefined ? state : { ...state, deadlines: { ...state.deadlines, [this.without]: undefined } };
    watcher.stepped(before, this.state, effects, this, { at: this.now, input });
    for (const effect of effects) this.perform(effect);
  }

  private earliest(): Event | undefined {
    let first: Event | undefined;
    for (const event of this.events) if (first === undefined || event.at < first.at) first = event;
    return first;
  }

  in(ms: number, run: () => void): void {
    this.events.push({ at: this.now + ms, run });
  }

  /** Reported unless the line is dead by then. */
  private hears(at: number, input: () => CallInput): void {
    this.in(Math.max(0, at - this.now), () => {
      if (this.now < this.lineDeadAt) this.pending.push(input());
    });
  }

  fault(): boolean {
    return this.random.chance(this.faults);
  }

  private connect(): void {
    const { random } = this;
    if (this.fault() && random.chance(0.3)) return;
    this.in(random.between(10, 5_000), () => {
      this.pending.push({ type: 'answered' });
      if (this.fault() && random.chance(0.3)) return;
      this.in(random.between(0, 500), () => {
        this.pending.push({ type: 'media_started', received: this.hasAudio ? this.received() : null });
        this.begin();
      });
    });
  }

  private begin(): void {
    const { random } = this;
    const offset = this.now;
    (this.speeches as Speech[]).splice(
      0,
      Infinity,
      ...this.speeches.map(({ start, end, text }) => ({ start: start + offset, end: end + offset, text })),
    );
    for (const speech of this.speeches) this.hear(speech);
    if (!this.hasAudio)
      for (let nth = random.between(0, 5); nth > 0; nth -= 1)
        this.in(random.between(500, 60_000), () => this.pending.push({ type: 'typed', text: random.of(words) }));
    else this.disturb();
    if (random.chance(0.05))
      this.in(random.between(100, 60_000), () =>
        this.pending.push({ type: 'control_say', text: 'An operator speaks.' }),
      );
    if (random.chance(0.1))
      this.in(random.between(100, 20_000), () => {
        this.pending.push({ type: 'control_transferring', ms: random.of([30_000, 90_000, 900_000]) });
        // The end of a transfer is reported, or the report is lost.
        if (random.chance(0.5))
          this.in(random.between(1_000, 25_000), () => this.pending.push({ type: 'control_transferring', ms: 0 }));
      });
    if (random.chance(0.5)) this.in(random.between(20_000, 200_000), () => this.pending.push({ type: 'hung_up' }));
  }

  private disturb(): void {
    const { random } = this;
    const offset = this.now;
    if (random.chance(0.3)) {
      const start = offset + random.between(100, 30_000);
      this.hears(start, () => ({ type: 'music_started' }));
      if (random.chance(0.7)) this.hears(start + random.between(100, 20_000), () => ({ type: 'music_ended' }));
    }
    if (random.chance(0.1)) this.hears(offset + random.between(100, 20_000), () => ({ type: 'beep' }));
    if (random.chance(0.2))
      this.hears(offset + random.between(500, 40_000), () => ({
        type: 'pressed',
        digits: random.of(['1', '42', '7#']),
      }));
  }

  private hear({ start, end, text }: Speech): void {
    const { random } = this;
    const missed = this.fault() && random.chance(0.3);
    if (!missed) {
      this.hears(start + random.between(32, 96), () => ({ type: 'speech_started', since: start }));
      const lost = this.fault() && random.chance(0.3);
      if (!lost || !this.reportsVoice) this.hears(end + 250, () => ({ type: 'speech_ended', lastVoice: end }));
    }
    this.segment += 1;
    const { segment } = this;
    const partials = random.chance(0.5);
    const isHeard = (): boolean => this.now < this.transcriberDeadAt;
    const spoken = text.split(' ');
    if (partials && text !== '')
      for (let count = 1; count <= spoken.length; count += 1)
        this.in(Math.max(0, start + ((end - start) * count) / spoken.length + 150 - this.now), () => {
          if (isHeard() && this.now < this.lineDeadAt)
            this.pending.push({ type: 'partial', segment, text: spoken.slice(0, count).join(' ') });
        });
    if (this.fault()) return;
    this.in(Math.max(0, end + random.between(300, 2_000) - this.now), () => {
      if (isHeard() && this.now < this.lineDeadAt)
        this.pending.push({ type: 'final', segment, text, judged: random.next() });
      else if (random.chance(0.3)) this.pending.push({ type: 'transcriber_failed', retry: random.chance(0.7) });
    });
    if (random.chance(0.1))
      this.hears(end + random.between(0, 900), () => ({ type: 'turn_hint', finished: random.next() }));
  }

  private perform(effect: CallEffect): void {
    switch (effect.type) {
      case 'start_model':
        return this.reply(effect.attempt);
      case 'call_tool':
        return this.runTool(effect.call.id);
      case 'reopen_transcriber':
        if (!this.fault())
          this.in(this.random.between(50, 2_000), () => {
            this.transcriberDeadAt = Infinity;
            this.pending.push({ type: 'transcriber_opened' });
          });
        return;
      default:
        return this.voice.perform(effect);
    }
  }

  private reply(attempt: number): void {
    const { random } = this;
    const fate = this.fault() ? random.of(['silent', 'stalls', 'fails', 'fails for good', 'empty']) : 'replies';
    const pieces = random.between(1, 6);
    let at = random.of([50, 400, 3_000, 12_000]);
    if (fate === 'silent') return;
    for (let nth = 0; nth < pieces && fate !== 'empty'; nth += 1) {
      if (fate !== 'replies' && random.chance(0.5)) break;
      this.in(at, () =>
        this.pending.push({
          type: 'model_delta',
          attempt,
          text: random.of(['Well, ', 'it costs ten. ', 'One moment. ']),
        }),
      );
      at += random.between(20, 700);
    }
    if (fate === 'stalls') return;
    if (fate === 'fails' || fate === 'fails for good')
      return this.in(at, () => this.pending.push({ type: 'model_failed', attempt, retry: fate === 'fails' }));
    if (random.chance(0.3)) {
      const name = random.of([
        'look_up',
        'look_up',
        'look_up',
        'end_call',
        'press_digits',
        'wait_on_hold',
        'leave_voicemail',
        'transfer_call',
      ]);
      const call = { id: `tool-${attempt}`, name, arguments: random.of(['{"digits":"1"}', '{}', '?']) };
      this.in(at, () => this.pending.push({ type: 'model_tool_call', attempt, call }));
    }
    this.in(at + 10, () => this.pending.push({ type: 'model_done', attempt }));
  }

  private runTool(toolCallId: string): void {
    if (this.fault()) return;
    const outcome = this.random.of(['succeeded', 'succeeded', 'failed', 'transferred'] as const);
    this.in(this.random.of([50, 900, 4_000, 25_000]), () =>
      this.pending.push({ type: 'tool_ended', toolCallId, outcome, result: '{}' }),
    );
  }
}
