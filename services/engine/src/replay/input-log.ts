import type { CallEffect } from '../core/effects';
import type { CallInput } from '../core/inputs';
import type { CallPlan } from '../core/plan';
import type { ResumedCall } from '../core/state';
import { shapeOf } from './effect-shape';
import { Redaction } from './redaction';

/** The format version of the log. */
export const logForm = 1;

/** The first line of a log. */
export interface LogHeader {
  readonly form: number;
  readonly call_id: string;
  readonly at: number;
  readonly plan: CallPlan;
  /** Present if another process conducted the call before. */
  readonly resumed?: ResumedCall;
}

/** Each further line: the time, the input, and the shapes of its effects, if any. */
export type LogEntry = readonly [at: number, input: CallInput, ...effects: unknown[]];

/** The last line of a complete log. It is missing if the process ended or the log reached its size limit. */
export interface LogEnd {
  readonly inputs: number;
}

/** Maximum characters of a log: several times those of the longest call. */
const mostChars = 2 * 1024 * 1024;

/** Records every input of one call, redacted, with the shapes of its effects, as lines of JSON from which the call can be replayed. */
export class InputLog {
  private readonly lines: string[] = [];
  private chars = 0;
  private inputs = 0;
  private full = false;
  private readonly redaction = new Redaction();

  private ended = false;

  /** @param keep called once with the log when the call has ended */
  constructor(
    private readonly callId: string,
    private readonly keep: (log: string) => void = () => undefined,
    private readonly most = mostChars,
  ) {}

  begin(plan: CallPlan, at: number, resumed: ResumedCall | null = null): void {
    const header: LogHeader = {
      form: logForm,
      call_id: this.callId,
      at,
      plan: this.redaction.plan(plan),
      ...(resumed === null ? {} : { resumed: this.redaction.resumed(resumed) }),
    };
    this.add(JSON.stringify(header));
  }

  take(at: number, input: CallInput, effects: readonly CallEffect[]): void {
    if (this.full) return;
    const shapes = effects.map((effect) => `,${shapeOf(effect)}`).join('');
    if (this.add(`[${at},${JSON.stringify(this.redaction.input(input))}${shapes}]`)) this.inputs += 1;
  }

  /** Returns the log on the first call. A call that never began, because its configuration could not be read, has none. */
  end(): string | undefined {
    if (this.chars === 0 || this.ended) return undefined;
    this.ended = true;
    const end: LogEnd = { inputs: this.inputs };
    if (!this.full) this.lines.push(JSON.stringify(end));
    this.full = true;
    const log = `${this.lines.splice(0).join('\n')}\n`;
    this.keep(log);
    return log;
  }

  private add(line: string): boolean {
    this.full ||= this.chars + line.length > this.most;
    if (this.full) return false;
    this.chars += line.length;
    this.lines.push(line);
    return true;
  }
}
