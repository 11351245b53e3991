import type { AgentTool, RuntimeConfiguration, WorkerJob, WorkerJobEvent, WorkflowDefinition } from '@parley/contract';
import type { Logger } from '@parley/runtime';
import type { CallClock, Carrier, CarrierEvent, Line } from '../carriers/carrier';
import { planOf } from '../domain/call-plan';
import { notJudged } from '../domain/answer-detection';
import type { CallAction, CallInput, CallOutcome, CallState, Step } from '../domain/call-state';
import { renderTemplate } from '../core/render-template';
import { shortfallsOf, type Shortfall } from '../core/problems';
import { nextDeadline, startCall, step } from '../domain/step';
import { workflowReply, type WorkflowPlace } from '../core/workflow-reply';
import type { Providers } from '../providers/provider';
import { isUnwanted } from './attempt';
import { CallProblems } from './call-problems';
import { Components } from './components';
import { JobReporter } from './job-reporter';
import type { LiveCall } from './live-call';
import { failureOf, type Platform } from './platform';
import { readPlan } from './read-plan';

export interface CallOptions {
  readonly job: WorkerJob;
  readonly platform: Platform;
  /** Undefined: this worker cannot dial from the number. */
  readonly carrier: Carrier | undefined;
  readonly clock: CallClock;
  /** Undefined: this worker cannot conduct the publication. */
  readonly providers: Providers | undefined;
  readonly log: Logger;
  /** What else this worker leaves out of the call. Default: nothing. */
  readonly shortfalls?: readonly Shortfall[];
  readonly observer?: CallObserver;
}

/** Follows a call, as the other end of its line is to see it. */
export interface CallObserver {
  changed(state: CallState): void;
  ended(reason: string, detail?: string): void;
}

/** One claimed job: drives the pure conversation with what carrier, components, clock and platform tell. */
export class ConductedCall implements LiveCall {
  readonly done: Promise<void>;
  private finish: () => void = () => undefined;
  private finished = false;
  private state: CallState;
  private line: Line | undefined;
  private takeBackTick: (() => void) | undefined;
  /** Counts what was put on the other track, and what cut it. */
  private besides = 0;
  private readonly reporter: JobReporter;
  /** Undefined: this worker cannot conduct the publication. */
  private readonly components: Components | undefined;
  private readonly tools: readonly AgentTool[];
  private readonly systemPrompt: string;
  private readonly navigation: readonly string[];
  /** The workflow that conducts the call in place of the model. */
  private readonly workflow: WorkflowDefinition | undefined;
  private place: WorkflowPlace;
  private readonly problems = new CallProblems();

  constructor(private readonly options: CallOptions) {
    const { job, platform, log, providers, clock } = options;
    this.components = providers === undefined ? undefined : new Components(providers, clock);
    const configuration = job.runtime_configuration as Partial<RuntimeConfiguration>;
    // Tools are tuning: a save of them never publishes (see docs/adr/0014), so the pinned tuning has the ones that count.
    this.tools = configuration.tuning?.tools ?? [];
    this.navigation = configuration.effective?.navigation?.tools ?? [];
    this.systemPrompt = renderTemplate(configuration.publication?.system_prompt ?? '', configuration.variables ?? {});
    this.workflow = configuration.tuning?.workflow?.definition;
    this.place = { asked: null, variables: configuration.variables ?? {} };
    this.reporter = new JobReporter(platform, job, log);
    this.done = new Promise((resolve) => (this.finish = resolve));
    const plan = readPlan(options);
    const first = startCall(plan ?? planOf({ call: job.call, runtime_configuration: {} }));
    this.state = first.state;
    const left = [...shortfallsOf(configuration, this.state.plan.language), ...(options.shortfalls ?? [])];
    for (const shortfall of left) this.problems.note(shortfall);
    if (options.providers === undefined || options.carrier === undefined || plan === undefined) this.refuse();
    else this.take(first);
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

  /** Somebody else decides about this job now: hang up and write nothing more. */
  leaseLost(): void {
    if (this.finished) return;
    this.feed({ type: 'lease_lost' });
    this.leave();
  }

  private feed(input: CallInput): void {
    if (this.finished) return;
    try {
      this.take(step(this.state, input, this.options.clock.now()));
    } catch (error) {
      // A defect costs this call, not the others: the line is let go, the platform finishes the record.
      this.options.log.error({ err: error, input: input.type }, 'a call could not go on');
      this.line?.hangUp();
      this.leave();
    }
  }

  private take({ state, actions }: Step): void {
    if (state.agent.turn !== this.state.agent.turn) this.components?.nextTurn();
    this.state = state;
    if (state.phase === 'over') this.components?.end();
    this.options.observer?.changed(state);
    for (const action of actions) this.perform(action);
    this.takeBackTick?.();
    const next = nextDeadline(this.state);
    if (next === undefined || this.finished) return;
    this.takeBackTick = this.options.clock.after(next - this.options.clock.now(), () => this.feed({ type: 'tick' }));
  }

  private perform(action: CallAction): void {
    switch (action.type) {
      case 'report':
        return this.report(action.event);
      case 'dial':
        return this.dial(this.options.job.call);
      case 'speak':
        return this.speak(action.turn, action.text);
      case 'stop_speaking':
        return this.line?.stopPlaying();
      case 'say_beside':
        return this.sayBeside(action.text);
      case 'typing_sound':
        this.besides += 1;
        return this.line?.playBeside('sound');
      case 'stop_beside':
        this.besides += 1;
        return this.line?.stopBeside();
      case 'press':
        return this.line?.press(action.digits);
      case 'think':
        return this.think(action);
      case 'hang_up':
        return this.line?.hangUp();
      case 'complete':
        return this.complete(action.outcome);
      case 'drop':
        return this.leave();
    }
  }

  private dial({ from, to }: WorkerJob['call']): void {
    const numbers = { from: from ?? '', to: to ?? '' };
    this.line = this.options.carrier?.dial(numbers, this.options.clock, (event) => this.onCarrier(event));
  }

  private report(event: WorkerJobEvent): void {
    const given = this.seenFrom(event);
    const over = given.type === 'ended' || given.type === 'failed';
    if (over) this.options.observer?.ended(given.ended_reason ?? 'carrier_failure', given.reason_detail);
    const reported = this.problems.reportedWith(given, this.state.transcript);
    this.reporter.report(reported).then(
      (answer) => {
        if (answer.cancel_requested) this.feed({ type: 'cancel_requested' });
        if (event.type !== 'dialing') return;
        this.feed({ type: answer.call_status === 'dialing' ? 'permitted' : 'refused' });
      },
      (error: unknown) => {
        if (this.fencedBy(error) || this.finished) return;
        this.options.log.error({ err: error, event: event.type }, 'the platform refused a report; the call goes on');
        if (event.type === 'dialing') this.feed({ type: 'refused' });
      },
    );
  }

  /** The rules of a conversation know no direction: the other party of a call that came in is its caller. */
  private seenFrom(event: WorkerJobEvent): WorkerJobEvent {
    const cameIn = this.options.job.call.direction === 'inbound';
    return cameIn && event.ended_reason === 'callee_hung_up' ? { ...event, ended_reason: 'caller_hung_up' } : event;
  }

  private complete(outcome: CallOutcome): void {
    this.reporter.complete(outcome).then(
      () => this.leave(),
      (error: unknown) => {
        if (this.fencedBy(error) || this.finished) return;
        this.options.log.error({ err: error }, 'the platform refused the completion of a call');
        this.leave();
      },
    );
  }

  /** Nothing but the platform's own word that the lease is lost ends a call: not its absence, and no other refusal. */
  private fencedBy(error: unknown): boolean {
    if (this.finished || failureOf(error) !== 'fenced') return false;
    this.options.log.warn({ err: error }, 'the platform does not take this job from us any more; dropping it');
    this.leaseLost();
    return true;
  }

  private onCarrier(event: CarrierEvent): void {
    switch (event.type) {
      case 'speech_ended':
        this.feed({ type: 'speech_ended' });
        return this.transcribe(event.audio);
      case 'played':
        return this.feed({ type: 'spoken', turn: event.turn });
      case 'hung_up':
        return this.feed({ type: 'caller_hung_up' });
      default:
        return this.feed(event);
    }
  }

  private transcribe(audio: Parameters<Providers['transcriber']['transcribe']>[0]): void {
    this.components?.transcribe(audio, this.state.plan.language).then(
      (text) => this.feed({ type: 'transcribed', text }),
      (error: unknown) => {
        if (isUnwanted(error)) return;
        this.options.log.warn({ err: error }, 'the transcriber failed; the speech counts as not understood');
        this.feed({ type: 'transcript_lost' });
      },
    );
  }

  private think(action: Extract<CallAction, { type: 'think' }>): void {
    if (this.workflow !== undefined) return this.followWorkflow(this.workflow, action);
    const { turn, said } = action;
    const request = { systemPrompt: this.systemPrompt, tools: this.tools, said, navigation: this.navigation };
    this.components?.reply(request).then(
      (reply) => this.feed({ type: 'replied', turn, ...reply }),
      (error: unknown) => this.onComponentFault(turn, error),
    );
  }

  /** The place in the workflow moves with the reply that is taken: a thought that the caller broke off leaves it. */
  private followWorkflow(workflow: WorkflowDefinition, { turn, said }: Extract<CallAction, { type: 'think' }>): void {
    const since = said.findLastIndex(({ speaker }) => speaker === 'agent');
    const heard = said.slice(since + 1).map(({ text }) => text);
    // After what is under way: an input must not come in the midst of another one's actions.
    queueMicrotask(() => {
      const { agent, phase } = this.state;
      if (phase !== 'talking' || agent.doing !== 'thinking' || agent.turn !== turn) return;
      try {
        const { place, text, endsCall, passed } = workflowReply(workflow, this.place, heard.join(' '));
        if (passed.length > 0) this.onPassed(passed);
        this.place = place;
        this.feed({ type: 'replied', turn, text, endsCall });
      } catch (error) {
        this.onComponentFault(turn, error);
      }
    });
  }

  private onPassed(nodes: readonly string[]): void {
    this.options.log.warn({ nodes }, 'this worker cannot do what a workflow asks for');
    for (const node of nodes) {
      const detail = `the workflow's node ${node} was passed over: this worker cannot do what it asks`;
      this.problems.note({ code: 'workflow_node_skipped', detail });
    }
  }

  private speak(turn: number, text: string): void {
    this.components?.synthesize(text, this.state.plan.language).then(
      (audio) => {
        const { agent, phase } = this.state;
        if (phase !== 'talking' || agent.doing !== 'speaking' || agent.turn !== turn) return;
        this.line?.play(turn, audio);
        this.feed({ type: 'voiced', turn, durationMs: audio.durationMs });
      },
      (error: unknown) => this.onComponentFault(turn, error),
    );
  }

  /** Feedback is worth no fault: what cannot be synthesized is not heard, and what comes too late neither. */
  private sayBeside(text: string): void {
    this.besides += 1;
    const nth = this.besides;
    this.components?.synthesize(text, this.state.plan.language).then(
      (audio) => {
        if (this.besides === nth && this.state.phase === 'talking') this.line?.playBeside(audio);
      },
      (error: unknown) => {
        if (!isUnwanted(error)) this.options.log.warn({ err: error }, 'feedback could not be said');
      },
    );
  }

  private onComponentFault(turn: number, error: unknown): void {
    if (isUnwanted(error)) return;
    this.options.log.error({ err: error }, 'a component of the agent failed');
    this.problems.note({ code: 'component_failed', detail: `a component of the agent failed in turn ${turn}` });
    this.feed({ type: 'reply_failed', turn });
  }

  /** A configuration that this worker cannot run: the record says so, and no number is dialled. */
  private refuse(): void {
    const detail = 'this worker cannot run the configuration of the call, or dial from its number';
    this.problems.note({ code: 'configuration_not_runnable', detail });
    this.report({ type: 'failed', ended_reason: 'configuration_not_runnable' });
    this.complete({ transcript: null, ...notJudged });
  }

  private leave(): void {
    if (this.finished) return;
    this.finished = true;
    this.takeBackTick?.();
    this.components?.end();
    this.reporter.stop();
    this.finish();
  }
}
