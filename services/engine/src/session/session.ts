import type { WorkerJobEvent } from '@parley/contract';
import type { CallEffect, CallOutcome } from '../core/effects';
import type { CallInput } from '../core/inputs';
import { planOf, type CallPlan } from '../core/plan';
import { notJudged } from '../core/answer-detection';
import type { CallState, Step } from '../core/state';
import { awaitedAudio, nextDeadline, startCall, step } from '../core/step';
import { CallProblems } from '../worker/call-problems';
import { JobReporter } from '../worker/job-reporter';
import { performed, refused, type CallCommand, type CommandResult, type LiveCall } from '../worker/live-call';
import { alongsideTheCall, controlInputOf } from './control-input';
import { failureOf } from '../worker/platform';
import { recordOf } from '../worker/transcript-of';
import { readPlan, type SessionContext, type SessionOptions, type SessionParts } from './session-parts';
import { performSound } from './sound-effects';
import { Continuity } from './continuity';
import { judgeTurn } from './judge-turn';
import { LiveSound } from './live-sound';
import { problemsOf, snapshotUnreadable } from './resumed-call';

/** The ended reason for the line if the session ends without one of its own: after the lease was lost, a completion, or an error. */
const leaseLostReason = 'carrier_failure';

/** A line that waits for the report of the end is closed after this time in any case. */
const longestReportMs = 10_000;
/** Maximum number of texts that operators have queued. */
const mostToSay = 10;

/** Drives one call: passes events to the core, performs its effects, schedules its deadlines, and reports to the platform. */
export class Session implements LiveCall {
  readonly done: Promise<void>;
  private finish: () => void = () => undefined;
  private finished = false;
  private state: CallState;
  private parts: SessionParts | undefined;
  private readonly inputs: CallInput[] = [];
  private stepping = false;
  /** Whether the call was completed or lost at the platform: no further reports are sent. */
  private completed = false;
  private takeBackTick: (() => void) | undefined;
  /** The audio time for which a decision waits. */
  private awaited: number | undefined;
  private readonly reporter: JobReporter;
  private readonly problems = new CallProblems();
  private readonly continuity: Continuity;
  private readonly listeners: LiveSound;

  constructor(private readonly options: SessionOptions) {
    const { job, platform, log } = options;
    this.reporter = new JobReporter(platform, job, log);
    this.listeners = new LiveSound({ platform, jobId: job.job_id, epoch: job.epoch, log });
    this.done = new Promise((resolve) => (this.finish = resolve));
    const plan = readPlan(options);
    const { resumed, clock } = options;
    if (job.resume !== undefined) this.problems.take(problemsOf(job.resume));
    if (resumed !== undefined && resumed.snapshot === undefined) this.problems.note(snapshotUnreadable);
    const first = startCall(
      plan ?? planOf({ call: job.call, runtime_configuration: {} }),
      clock.now(),
      resumed ?? null,
    );
    this.state = first.state;
    this.continuity = new Continuity({
      ...{ options, reporter: this.reporter, problems: this.problems },
      state: () => this.state,
      parts: () => this.parts,
      handOver: (atOnce) => this.feed({ type: 'hand_over', atOnce }),
      leave: () => this.leave(leaseLostReason),
    });
    this.continuity.begin(first.state);
    if (plan === undefined) this.refuse();
    else this.begin(plan, first);
  }

  get jobId(): string {
    return this.options.job.job_id;
  }

  get epoch(): number {
    return this.options.job.epoch;
  }

  get leaseSeconds(): number {
    return this.options.job.lease_seconds;
  }

  cancelRequested(): void {
    this.feed({ type: 'cancel_requested' });
  }

  /** Hands the call over to another worker as soon as one has room. A call whose line cannot be reconnected is finished here. */
  handOver(): void {
    this.continuity.handOver();
  }

  /** Performs a command of an operator. */
  command({ type, fields }: CallCommand): CommandResult | Promise<CommandResult> {
    const { phase } = this.state;
    if (this.finished || this.parts === undefined || (phase !== 'answered' && phase !== 'talking'))
      return refused('call_over', 'the call is not in progress');
    if (type === 'chat') return this.options.chat?.take(fields) ?? refused('unavailable', 'the call is not a chat');
    const outcome = alongsideTheCall(type, this.parts.line, this.listeners, this.continuity);
    if (outcome !== undefined) return outcome;
    const input = controlInputOf(type, fields);
    if (input === undefined) return refused('unavailable', `this worker does not support ${type}`);
    if (input.type === 'control_say' && this.state.toSay.length >= mostToSay)
      return refused('busy', `${mostToSay} texts are already waiting to be spoken`);
    this.feed(input);
    return performed;
  }

  /** The lease was lost, to another worker or because the job is over: the line is released and no further reports are sent. */
  leaseLost(): void {
    if (this.finished || this.completed) return;
    this.feed({ type: 'lease_lost' });
    this.leave(leaseLostReason);
  }

  private begin(plan: CallPlan, first: Step): void {
    this.options.inputLog?.begin(plan, first.state.now, first.state.resumed);
    const context: SessionContext = {
      plan,
      onModelInput: (input) => this.feed(input),
      onToolEnded: (input) => this.feed(input),
      note: (problem) => this.problems.note(problem),
      reported: () => this.reporter.settled(),
    };
    const release = this.options.clock.hold();
    this.options
      .prepare(context)
      .then(
        (parts) => this.prepared(parts, first),
        (error: unknown) => {
          this.options.log.error({ err: error }, 'the parts of a call could not be prepared');
          this.refuse();
        },
      )
      .finally(release);
  }

  private prepared(parts: SessionParts | undefined, first: Step): void {
    this.parts = parts;
    if (parts === undefined) return this.refuse();
    if (this.finished) return this.letGo(parts, leaseLostReason);
    for (const shortfall of parts.shortfalls) this.problems.note(shortfall);
    for (const effect of first.effects) this.performOne(effect, parts);
    // Processes the events that arrived during preparation.
    this.drain();
  }

  /** Processes inputs one at a time: an input that arrives while effects are performed is queued. */
  private feed(input: CallInput): void {
    if (this.finished) return;
    this.inputs.push(input);
    if (this.parts !== undefined) this.drain();
  }

  private drain(): void {
    if (this.stepping) return;
    this.stepping = true;
    try {
      for (let input = this.inputs.shift(); input !== undefined && !this.finished; input = this.inputs.shift())
        this.take(input);
    } catch (error) {
      // An unexpected error affects only this call: the line is released, and the platform completes the record.
      this.options.log.error({ err: error }, 'a call could not continue');
      this.parts?.line.hangUp();
      this.leave(leaseLostReason);
    } finally {
      this.stepping = false;
    }
    this.arm();
  }

  private take(happened: CallInput): void {
    const [before, at] = [this.state, this.options.clock.now()];
    const input = judgeTurn(before, happened);
    const { state, effects } = step(before, { at, input });
    this.options.inputLog?.take(at, input, effects);
    this.state = state;
    this.options.observer?.(state);
    if (this.parts !== undefined) for (const effect of effects) this.performOne(effect, this.parts);
    this.continuity.note(before, state);
  }

  /** Schedules a tick for the core's next deadline. The arrival of audio that a decision waits for causes a tick too. */
  private arm(): void {
    this.takeBackTick?.();
    this.takeBackTick = undefined;
    if (this.finished) return;
    this.awaited = awaitedAudio(this.state);
    const next = nextDeadline(this.state);
    if (next === undefined) return;
    const { clock } = this.options;
    this.takeBackTick = clock.after(next - clock.now(), () => this.tick());
  }

  private tick(): void {
    this.feed({ type: 'tick', ...this.parts?.line.watermarks() });
  }

  private performOne(effect: CallEffect, { line, replies, tools }: SessionParts): void {
    switch (effect.type) {
      case 'report':
        return this.report(effect.event);
      case 'note':
        return this.problems.note(effect.problem);
      case 'dial':
        return line.open({ input: (input) => this.feed(input), progressed: () => this.progressed() });
      case 'start_model':
        return replies.start(effect);
      case 'cancel_model':
        return replies.cancel(effect.attempt);
      case 'confirm_model':
        // Nothing to do: the core itself holds back the tools and the audio of a speculative attempt.
        return;
      case 'call_tool':
        return tools.call(effect.call, this.state);
      case 'cancel_tool':
        return tools.cancel(effect.toolCallId);
      case 'hang_up':
        return line.hangUp();
      case 'hand_over':
        return this.continuity.letGo(line);
      case 'complete':
        return this.complete(effect.outcome);
      case 'drop':
        return this.leave(leaseLostReason);
      default:
        return performSound(effect, line, this.state);
    }
  }

  private progressed(): void {
    if (this.awaited === undefined || this.finished) return;
    const { received = -Infinity, voiced = received } = this.parts?.line.watermarks() ?? {};
    if (received >= this.awaited || voiced >= this.awaited) this.tick();
  }

  private report(event: WorkerJobEvent): void {
    if (event.type === 'dialing' && this.options.connected === true) return this.feed({ type: 'permitted' });
    const over = event.type === 'ended' || event.type === 'failed';
    const reason = event.ended_reason ?? 'carrier_failure';
    const close = over ? this.closing(reason, event.reason_detail) : () => undefined;
    if (this.options.reconnects !== true) close();
    const entries = this.parts?.tools.entries ?? new Map();
    const reported = this.problems.reportedWith(event, () =>
      recordOf(this.options.job, this.state.transcript, entries),
    );
    // The call is not dialed before the permit, whose response is awaited in real time.
    const release = event.type === 'dialing' ? this.options.clock.hold() : () => undefined;
    this.reporter
      .report(reported)
      .then(
        (answer) => {
          if (answer.cancel_requested) this.feed({ type: 'cancel_requested' });
          if (event.type !== 'dialing') return;
          this.feed({ type: answer.call_status === 'dialing' ? 'permitted' : 'refused' });
        },
        (error: unknown) => {
          if (this.fencedBy(error) || this.finished) return;
          this.options.log.error({ err: error, event: event.type }, 'a report was rejected; the call continues');
          if (event.type === 'dialing') this.feed({ type: 'refused' });
        },
      )
      .finally(release)
      .finally(close);
  }

  /**
   * Returns a function that ends the line once. If the carrier then requests further instructions, the line stays open until the platform has received the
   * report of the end.
   */
  private closing(reason: string, detail?: string): () => void {
    let timer: NodeJS.Timeout | undefined;
    const close = (): void => {
      clearTimeout(timer);
      if (this.parts === undefined) this.options.refused?.(reason);
      else this.parts.line.end(reason, detail);
    };
    if (this.options.reconnects === true) timer = setTimeout(close, longestReportMs);
    return close;
  }

  private complete(outcome: CallOutcome): void {
    const { parts } = this;
    this.continuity.complete();
    parts?.replies.end();
    for (const { latency } of outcome.transcript ?? []) if (latency !== undefined) this.options.onTurn?.(latency);
    const recorded = parts?.line.recorded();
    const { answeredAt } = this.state;
    const details = {
      inputLog: this.options.inputLog?.end(),
      entries: parts?.tools.entries ?? new Map(),
      hasSound: parts?.line.hasSound === true,
      answeredAgoMs: answeredAt === null ? undefined : this.options.clock.now() - answeredAt,
    };
    Promise.resolve(parts?.tools.settled())
      .then(() => this.reporter.complete(outcome, details))
      .then(() => (this.completed = true))
      // The platform accepts parts of the recording even after the completion.
      .then(() => recorded)
      .then(
        () => this.leave(leaseLostReason),
        (error: unknown) => {
          if (this.fencedBy(error) || this.finished) return;
          this.options.log.error({ err: error }, 'the platform rejected the completion of a call');
          this.leave(leaseLostReason);
        },
      );
  }

  /** Only a response that the lease is lost ends a call. Neither an unavailable platform nor any other refusal does. */
  private fencedBy(error: unknown): boolean {
    if (this.finished || failureOf(error) !== 'fenced') return false;
    this.options.log.warn({ err: error }, 'the platform no longer accepts requests for this job; dropping it');
    this.leaseLost();
    return true;
  }

  /** This worker cannot use the configuration: the call's record states so, and nothing is dialed. */
  private refuse(): void {
    if (this.finished) return;
    const detail = 'this worker cannot run the configuration of the call, or dial from its number';
    this.problems.note({ code: 'configuration_not_runnable', detail });
    this.report({ type: 'failed', ended_reason: 'configuration_not_runnable' });
    this.complete({ transcript: null, ...notJudged });
  }

  private leave(reason: string): void {
    if (this.finished) return;
    this.finished = true;
    this.takeBackTick?.();
    this.continuity.stop();
    this.listeners.stop();
    this.reporter.stop();
    if (this.parts === undefined) this.options.refused?.(reason);
    else this.letGo(this.parts, reason);
    this.options.inputLog?.end();
    this.finish();
  }

  private letGo({ line, replies, tools }: SessionParts, reason: string): void {
    replies.end();
    tools.end();
    line.hangUp();
    line.end(reason);
  }
}
