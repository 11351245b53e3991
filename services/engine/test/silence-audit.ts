import { limits } from '@parley/contract';
import type { CallEffect } from '../src/core/effects';
import type { CallState, DeadlineName } from '../src/core/state';
import { World, type Watcher } from './fault-schedule';
import { planOfSeed } from './random-plan';

/** A condition and the longest time for which it may hold, in milliseconds; the time restarts if its key changes. Null: it does not hold. */
interface Rule {
  readonly name: string;
  holds(state: CallState, watch: SilenceAudit): { readonly key: unknown; readonly most: number } | null;
}

const secondMs = 1_000;
const audible = ({ utterance }: CallState): boolean =>
  utterance !== null && !utterance.held && utterance.heardAt !== null;
const isIdle = ({ reply, utterance, tools, caller }: CallState): boolean =>
  reply === null && utterance === null && tools.length === 0 && caller.turnSince === null && caller.digits === '';
const known = ({ watermarks: { received, voiced } }: CallState): number => voiced ?? received ?? -Infinity;
const during = (holds: boolean, most: number, key: unknown = true): { key: unknown; most: number } | null =>
  holds ? { key, most } : null;

/** The limits of conditions; measured from outside if possible, so that the test does not depend on the core's own clocks. */
const rules: readonly Rule[] = [
  { name: 'ringing', holds: ({ phase }) => during(phase === 'ringing', 120 * secondMs) },
  { name: 'answered without media', holds: ({ phase }) => during(phase === 'answered', 10 * secondMs) },
  {
    name: 'whole call',
    holds: ({ phase, answeredAt, plan: { maxCallMs, spendCapMs = Infinity } }) =>
      during(phase !== 'ringing' && answeredAt !== null, Math.min(maxCallMs, spendCapMs)),
  },
  {
    name: 'not heard',
    holds: ({ phase, evidence, answeredAt, plan, deadlines, tools }) =>
      during(
        phase !== 'ringing' &&
          answeredAt !== null &&
          !evidence.speech &&
          deadlines.transfer === undefined &&
          !tools.some(({ call }) => call.name === 'transfer_call'),
        plan.noCallerSpeechMs + 1_200,
      ),
  },
  {
    name: 'dead line',
    holds: ({ phase }, { world, now }) => during(phase === 'talking' && now >= world.lineDeadAt, 20 * secondMs + 20),
  },
  {
    name: 'opening',
    holds: ({ phase, opened, caller, reply, plan, navigation }, { world, now }) =>
      during(
        phase === 'talking' &&
          !opened &&
          navigation.at === 'nowhere' &&
          caller.turnSince === null &&
          caller.digits === '' &&
          reply === null &&
          now < world.lineDeadAt,
        plan.silenceWaitMs + 20,
      ),
  },
  {
    name: 'speech without an end',
    holds: ({ caller }, { lastVoice }) => during(caller.speakingSince !== null, 10 * secondMs + 300, lastVoice),
  },
  {
    name: 'pause of the caller',
    holds: ({ caller, plan: { endOfTurn } }, { world, now }) =>
      during(
        caller.turnSince !== null && caller.speakingSince === null && !caller.untranscribed && now < world.lineDeadAt,
        Math.max(endOfTurn.finished, endOfTurn.unfinished, endOfTurn.withoutDetector) + 20,
        caller.lastVoice,
      ),
  },
  {
    name: 'transcript',
    holds: ({ caller }) =>
      during(
        caller.untranscribed && caller.speakingSince === null && caller.due !== null,
        3 * secondMs,
        caller.segments,
      ),
  },
  { name: 'deaf', holds: ({ listening, phase }) => during(phase === 'talking' && !listening, 10 * secondMs) },
  {
    name: 'keys',
    holds: ({ caller, keys, plan }) => during(caller.digits !== '', (keys ?? plan.keys).betweenMs, caller.digits),
  },
  {
    name: 'reply without the model clock',
    holds: ({ phase, plan, owed, caller, transcript, reply, evidence, tools, utterance }) =>
      during(
        phase === 'talking' &&
          caller.turnSince === null &&
          tools.length === 0 &&
          utterance === null &&
          (owed.owed
            ? plan.conduct.modelUnresponsiveMs === null
            : reply !== null &&
              !reply.speculative &&
              !reply.complete &&
              reply.firstDeltaAt === null &&
              evidence.speech),
        (transcript.some(({ speaker }) => speaker === 'caller') || owed.owed ? 120 : 10) * secondMs,
        reply?.turnId,
      ),
  },
  {
    name: 'model stalls',
    holds: ({ reply }) =>
      during(
        reply !== null && reply.attempt !== null && !reply.complete && reply.firstDeltaAt !== null,
        10 * secondMs,
        `${reply?.text.length}/${reply?.toolCalls.length}`,
      ),
  },
  {
    name: 'voice not asked again',
    holds: ({ reply, utterance, tools, phase, watermarks }) =>
      during(
        phase === 'talking' &&
          watermarks.received !== null &&
          reply !== null &&
          !reply.speculative &&
          !reply.suspended &&
          reply.voiceFailures > 0 &&
          utterance === null &&
          tools.length === 0 &&
          /[\p{L}\p{N}]/u.test(reply.text.slice(reply.spoken)),
        8 * secondMs,
        reply?.voiceFailures,
      ),
  },
  {
    name: 'no sound of the voice',
    holds: ({ utterance }) =>
      during(utterance !== null && !utterance.held && utterance.audioAt === null, 10 * secondMs, utterance?.utterance),
  },
  {
    name: 'speaking without sound',
    holds: (state, { soundedUntil }) => {
      const { utterance } = state;
      const waitsForModel = utterance !== null && !utterance.finished && utterance.offset >= utterance.text.length;
      return during(
        audible(state) && !waitsForModel && state.watermarks.received !== null,
        10 * secondMs,
        `${soundedUntil} ${utterance?.text.length}`,
      );
    },
  },
  {
    name: 'tool',
    holds: ({ tools }) => during(tools.length > 0, limits.toolTimeoutMs.max + 5 * secondMs, tools[0]?.call.id),
  },
  { name: 'mailbox', holds: ({ voicemail }) => during(voicemail !== null, 15 * secondMs, voicemail) },
  { name: 'transfer', holds: ({ deadlines }) => during(deadlines.transfer !== undefined, 240 * secondMs) },
  { name: 'typing sound', holds: (_, { typing }) => during(typing, 15 * secondMs) },
  {
    name: 'no feedback on a tool',
    holds: (state, { asideInWait }) => {
      const { toolWait } = state.plan.conduct;
      const waits = state.tools.some(({ call }) => toolWait?.silentTools.includes(call.name) === false);
      return during(
        toolWait !== null && waits && !audible(state) && !asideInWait,
        2 * (toolWait?.delayMs ?? 0),
        state.tools[0]?.call.id,
      );
    },
  },
  {
    name: 'no acknowledgement',
    holds: (state, { feedbackGiven }) => {
      const { acknowledgement } = state.plan.conduct;
      const waits =
        state.turnEnd !== null &&
        state.reply?.attempt !== null &&
        state.reply?.speculative === false &&
        state.owed.owed;
      return during(acknowledgement !== null && waits && !feedbackGiven, acknowledgement?.delayMs ?? 0, state.turnEnd);
    },
  },
  {
    name: 'music',
    holds: ({ music, evidence, navigation, plan, phase }) =>
      during(
        phase === 'talking' && music && plan.nonHumanAudio === 'end_call' && !evidence.speech && navigation.since === 0,
        8 * secondMs,
      ),
  },
  {
    name: 'menu',
    holds: ({ navigation, plan }) =>
      during(navigation.at === 'menu', (plan.conduct.navigation?.maxMenuMs ?? 0) - navigation.menuMs, navigation.since),
  },
  {
    name: 'hold',
    holds: ({ navigation, plan }) =>
      during(navigation.at === 'hold', (plan.conduct.navigation?.maxHoldMs ?? 0) - navigation.holdMs, navigation.since),
  },
  {
    name: 'a voice that is not heard',
    holds: (state, { musicInSpeech }) =>
      during(
        state.caller.speakingSince !== null &&
          !musicInSpeech &&
          !state.evidence.speech &&
          known(state) - state.caller.speakingSince >= 200,
        0,
      ),
  },
  {
    name: 'a voice that does not interrupt',
    holds: (state) => {
      const { caller, utterance, plan, ending } = state;
      if (caller.speakingSince === null || !audible(state) || ending !== null || plan.interruptionWords > 0)
        return null;
      return during(known(state) - Math.max(caller.speakingSince, utterance?.heardAt ?? 0) >= plan.interruptionMs, 0);
    },
  },
  {
    name: 'unanswered',
    holds: (state, { unanswered }) =>
      during(
        state.phase === 'talking' && unanswered && isIdle(state) && !state.owed.owed && state.voicemail === null,
        0,
      ),
  },
];

/** Observes a simulated call and collects conditions that held for too long. */
export class SilenceAudit implements Watcher {
  readonly violations: string[] = [];
  now = 0;
  lastVoice = 0;
  soundedUntil = -1;
  typing = false;
  asideInWait = false;
  feedbackGiven = false;
  musicInSpeech = false;
  unanswered = false;
  /** The time for which a reply has been pending while the line was free. */
  private owedMs = 0;
  private readonly since = new Map<Rule, { key: unknown; at: number }>();

  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  passed(state: CallState, world: World, now: number): void {
    const free = state.owed.owed && state.caller.speakingSince === null && !audible(state) && state.tools.length === 0;
    if (free) this.owedMs += now - this.now;
    const limit = state.plan.conduct.modelUnresponsiveMs;
    if (free && limit !== null && this.owedMs > limit) this.note(`reply is owed for ${this.owedMs} ms`);
    this.now = now;
    const { speeches } = world;
    for (const { start, end } of speeches)
      if (start < now) this.lastVoice = Math.max(this.lastVoice, Math.min(end, now));
    this.soundedUntil = world.soundingUntil;
    this.judge(state);
  }

  stepped(before: CallState, after: CallState, effects: readonly CallEffect[]): void {
    const turns = (state: CallState): number => state.transcript.filter(({ speaker }) => speaker === 'caller').length;
    if (turns(after) > turns(before) && !audible(after)) this.unanswered = true;
    for (const { type } of effects) {
      if (type === 'typing_sound') this.typing = true;
      if (type === 'stop_aside') this.typing = false;
      if (type === 'typing_sound' || type === 'say_aside') this.asideInWait = this.feedbackGiven = true;
      if (type === 'press' || type === 'call_tool') this.unanswered = false;
    }
    if (after.tools.length === 0) this.asideInWait = false;
    if (after.turnEnd !== before.turnEnd) this.feedbackGiven = false;
    if (
      after.caller.turnSince !== null ||
      after.tools.length > 0 ||
      (after.utterance?.audioAt ?? null) !== null ||
      after.ending !== null
    )
      this.feedbackGiven = true;
    if (after.caller.speakingSince === null) this.musicInSpeech = after.music;
    else this.musicInSpeech ||= after.music;
    if (!after.owed.owed || !before.owed.owed) this.owedMs = 0;
    if (audible(after) || after.ending !== null || after.navigation.at === 'hold') this.unanswered = false;
    this.judge(after);
  }

  over(state: CallState): void {
    this.judge(state);
    if (state.phase !== 'over') this.note('the call did not end');
  }

  private judge(state: CallState): void {
    for (const rule of rules) {
      const held = state.phase === 'over' ? null : rule.holds(state, this);
      const began = this.since.get(rule);
      if (held === null) this.since.delete(rule);
      else if (began === undefined || began.key !== held.key) this.since.set(rule, { key: held.key, at: this.now });
      else if (this.now - began.at > held.most) this.note(`${rule.name} for ${this.now - began.at} ms`);
    }
  }

  private note(what: string): void {
    if (this.violations.length < 5) this.violations.push(`${what} at ${this.now}`);
  }
}

/** The violations in the call with the schedule of this seed. @param without a deadline that is removed from the core */
export function auditOf(
  seed: number,
  without?: DeadlineName,
): { readonly violations: readonly string[]; readonly steps: number } {
  const world = new World(seed, planOfSeed(seed), without);
  const audit = new SilenceAudit(world);
  world.run(audit);
  return { violations: audit.violations, steps: world.steps };
}
