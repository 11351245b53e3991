import type { CallEffect } from '../src/core/effects';
import type { CallInput } from '../src/core/inputs';
import type { CallPlan } from '../src/core/plan';
import type { CallState, DeadlineName } from '../src/core/state';
import { awaitedAudio, nextDeadline, startCall, step } from '../src/core/step';
import { Random } from './random';

/** What else becomes of a call in a schedule, and of what is watched in it. */
export interface Watcher {
  /** Before a step: the state has held since the step before. */
  passed(state: CallState, world: World, now: number): void;
  stepped(before: CallState, after: CallState, effects: readonly CallEffect[], world: World, now: number): void;
  over(state: CallState, world: World, now: number): void;
}

interface Event {
  readonly at: number;
  readonly run: () => void;
}

interface Speech {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const words = [
  'what',
  'does',
  'it',
  'cost',
  'hello',
  'mhm',
  'uh',
  'tomorrow',
  'yes',
  'press one for sales',
  'please hold',
];
const msPerCharacter = 60;
const markMs = 500;

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
  /** Sound of the agent is really on the line until then. */
  soundingUntil = -1;
  /** Steps that the core has taken. */
  steps = 0;
  readonly speeches: readonly Speech[];
  readonly reportsVoice: boolean;
  readonly hasAudio: boolean;
  private events: Event[] = [];
  private pending: CallInput[] = [];
  private readonly played = new Map<
    number,
    { text: string; position: number; finished: boolean; held: boolean; sounds: boolean; moving: boolean }
  >();
  private segment = 0;
  private readonly faults: number;
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
    this.speeches = this.hasAudio ? this.script() : [];
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
    watcher.stepped(before, this.state, effects, this, this.now);
    for (const effect of effects) this.perform(effect);
  }

  private earliest(): Event | undefined {
    let first: Event | undefined;
    for (const event of this.events) if (first === undefined || event.at < first.at) first = event;
    return first;
  }

  private in(ms: number, run: () => void): void {
    this.events.push({ at: this.now + ms, run });
  }

  /** Reported unless the line is dead by then. */
  private hears(at: number, input: () => CallInput): void {
    this.in(Math.max(0, at - this.now), () => {
      if (this.now < this.lineDeadAt) this.pending.push(input());
    });
  }

  private fault(): boolean {
    return this.random.chance(this.faults);
  }

  private script(): Speech[] {
    const { random } = this;
    const speeches: Speech[] = [];
    let at = random.of([100, 1_000, 3_000, this.plan.noCallerSpeechMs - 500, 200_000]);
    for (let nth = random.between(0, 6); nth > 0; nth -= 1) {
      const start = at + random.between(100, 8_000) - (speeches.length === 0 ? 100 : 0);
      const end = start + random.of([64, 150, 300, 900, 3_000, 9_000]);
      const said = Array.from({ length: random.between(0, 5) }, () => random.of(words));
      speeches.push({ start, end, text: said.join(' ') });
      at = end + 300;
    }
    return speeches;
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
      this.in(random.between(100, 60_000), () => this.pending.push({ type: 'spend_cap_reached' }));
    if (random.chance(0.05))
      this.in(random.between(100, 60_000), () =>
        this.pending.push({ type: 'control_say', text: 'An operator speaks.' }),
      );
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
      if (isHeard() && this.now < this.lineDeadAt) this.pending.push({ type: 'final', segment, text });
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
      case 'start_utterance':
        this.played.set(effect.utterance, {
          text: '',
          position: 0,
          finished: false,
          held: effect.held,
          sounds: !this.fault(),
          moving: false,
        });
        if (this.played.get(effect.utterance)?.sounds === true)
          this.in(this.random.between(50, 1_500), () => {
            this.pending.push({ type: 'speech_audio', utterance: effect.utterance });
            this.play(effect.utterance);
          });
        else if (this.random.chance(0.3))
          this.in(this.random.between(50, 5_000), () =>
            this.pending.push({ type: 'speech_failed', utterance: effect.utterance }),
          );
        return;
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
        this.soundingUntil = Math.min(this.soundingUntil, this.now);
        return;
      default:
        return;
    }
  }

  private change(utterance: number, change: (one: { text: string; held: boolean }) => void): void {
    const one = this.played.get(utterance);
    if (one !== undefined) change(one);
  }

  private finish(utterance: number): void {
    const one = this.played.get(utterance);
    if (one === undefined) return;
    if (this.fault()) return;
    one.finished = true;
    this.in(this.random.between(50, 1_000), () => {
      const durationMs = one.text.length * msPerCharacter;
      if (this.played.get(utterance) === one && one.sounds)
        this.pending.push({ type: 'speech_done', utterance, durationMs });
    });
  }

  /** The line plays what there is of an utterance, a mark after each part. */
  private play(utterance: number): void {
    const one = this.played.get(utterance);
    if (one === undefined) return;
    const stuck = this.random.chance(this.faults / 20);
    if (!one.held && this.now < this.lineDeadAt && one.position < one.text.length) {
      this.soundingUntil = Math.max(this.soundingUntil, this.now + markMs);
      one.position = Math.min(one.text.length, one.position + Math.round(markMs / msPerCharacter));
    }
    this.in(markMs, () => {
      if (this.played.get(utterance) !== one || stuck) return;
      if (this.now < this.lineDeadAt) {
        if (one.position > 0 && one.position < one.text.length)
          this.pending.push({ type: 'played', utterance, offset: one.position, ms: one.position * msPerCharacter });
        if (one.finished && one.position >= one.text.length) {
          this.pending.push({ type: 'playout_finished', utterance });
          this.played.delete(utterance);
          return;
        }
        if (one.position >= one.text.length)
          this.pending.push({ type: 'played', utterance, offset: one.text.length, ms: 0 });
      }
      this.play(utterance);
    });
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
