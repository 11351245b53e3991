import type { WorkerJob } from '@parley/contract';
import { planOf, type CallPlan } from '../src/domain/call-plan';
import type { CallAction, CallInput, CallState } from '../src/domain/call-state';
import { plainConduct } from '../src/core/conduct';
import { nextDeadline, startCall, step } from '../src/domain/step';

/** The plan of a call with nothing set. */
export const plan: CallPlan = {
  ...planOf({ call: { direction: 'outbound', language: 'en-US' } as WorkerJob['call'], runtime_configuration: {} }),
  conduct: plainConduct,
  greeting: 'Good morning.',
};

/** How long everything plays that the agent of a rehearsal says, unless the test ends it. */
const playsForMs = 600_000;

/** A call under test: inputs at given moments, actions collected with the moment at which they were asked for. */
export class Rehearsal {
  state: CallState;
  now = 0;
  readonly actions: CallAction[] = [];
  /** The voice of the agent fails without a word: nothing that it says becomes sound. */
  mute = false;

  constructor(change: Partial<CallPlan> = {}) {
    const first = startCall({ ...plan, ...change });
    this.state = first.state;
    this.actions.push(...first.actions);
  }

  at(now: number, ...inputs: (CallInput | CallInput['type'])[]): this {
    for (let due = nextDeadline(this.state); due !== undefined && due <= now; due = nextDeadline(this.state)) {
      this.take({ type: 'tick' }, due);
    }
    this.now = now;
    for (const input of inputs) this.take((typeof input === 'string' ? { type: input } : input) as CallInput, now);
    return this;
  }

  private take(input: CallInput, now: number): void {
    const { state, actions } = step(this.state, input, now);
    this.state = state;
    this.actions.push(...actions);
    const said = actions.findLast((action) => action.type === 'speak');
    if (said?.type === 'speak' && !this.mute)
      this.take({ type: 'voiced', turn: said.turn, durationMs: playsForMs }, now);
  }

  /** Answered at 0 of the call's own time, with media at once. */
  static answered(change: Partial<CallPlan> = {}): Rehearsal {
    return new Rehearsal(change).at(0, 'permitted', 'answered', 'media_started');
  }

  /** The caller says something from `from` to `to`, understood at once. */
  says(text: string, from: number, to: number): this {
    return this.at(from, 'speech_started').at(to, 'speech_ended', { type: 'transcribed', text });
  }

  types(): string[] {
    return this.actions.map((action) => (action.type === 'report' ? action.event.type : action.type));
  }

  last<T extends CallAction['type']>(type: T): Extract<CallAction, { type: T }> {
    const found = this.actions.findLast((action): action is Extract<CallAction, { type: T }> => action.type === type);
    if (found === undefined) throw new Error(`no ${type} among ${this.types().join(', ')}`);
    return found;
  }

  get ended(): string | undefined {
    const { event } = this.last('report');
    return this.state.phase === 'over' ? event.ended_reason : undefined;
  }

  /** The agent's turn under way has been heard. */
  spoken(now: number): this {
    return this.at(now, { type: 'spoken', turn: this.last('speak').turn });
  }

  replies(now: number, text: string, endsCall = false): this {
    return this.at(now, { type: 'replied', turn: this.last('think').turn, text, endsCall });
  }
}
