import { createHmac, randomBytes } from 'node:crypto';
import type { CallEffect } from '../core/effects';
import type { CallInput, ToolCall } from '../core/inputs';
import type { CallPlan } from '../core/plan';
import type { ResumedCall } from '../core/state';
import { shapeOf } from './effect-shape';

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

/** Texts of a plan that may contain variables of the call. Its other texts are identifiers that rules compare. */
const spokenTexts = new Set([
  'greeting',
  'voicemailMessage',
  'recordingAnnouncement',
  'endPhrase',
  'phrase',
  'phrases',
]);

/** Fields with texts of a call that another process began. */
const said = new Set(['text', 'digits', 'rest', 'said', 'toSay']);
const blanked = new Set(['arguments', 'result']);

/**
 * Redacts inputs, but keeps the length and word boundaries of every text, because rules count both. Every digit is replaced, so that no card, account or phone
 * number remains. Different texts stay different, because rules compare texts that were heard twice. The key is not stored. For tools, only names and pressed
 * keys are kept, because rules read nothing else.
 */
class Redaction {
  private readonly key = randomBytes(32);

  input(input: CallInput): CallInput {
    switch (input.type) {
      case 'pressed':
      case 'control_press':
        return { ...input, digits: this.digits(input.digits) };
      case 'tool_ended':
        return { ...input, result: blank(input.result) };
      case 'model_tool_call':
        return { ...input, call: this.call(input.call) };
      default:
        return 'text' in input ? { ...input, text: this.digits(input.text) } : input;
    }
  }

  plan(plan: CallPlan): CallPlan {
    return this.within(plan, false) as CallPlan;
  }

  /** Redacts texts of a conversation, and arguments and results of tools. */
  resumed(resumed: ResumedCall): ResumedCall {
    const redact = (value: unknown, name: string): unknown => {
      if (typeof value === 'string')
        return blanked.has(name) ? blank(value) : said.has(name) ? this.digits(value) : value;
      if (Array.isArray(value)) return value.map((one) => redact(one, name));
      if (typeof value !== 'object' || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, redact(one, key)]));
    };
    return redact(resumed, '') as ResumedCall;
  }

  private within(value: unknown, spoken: boolean): unknown {
    if (typeof value === 'string') return spoken ? this.digits(value) : value;
    if (Array.isArray(value)) return value.map((one) => this.within(one, spoken));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, this.within(one, spokenTexts.has(name))]),
    );
  }

  private call({ id, name, arguments: given }: ToolCall): ToolCall {
    return { id, name, arguments: name === 'press_digits' ? this.digits(given) : blank(given) };
  }

  /**
   * Each replacement depends on all digits of the text, so that a single one reveals nothing about the others. Never zero, with which no JSON number may begin.
   */
  private digits(text: string): string {
    const all = text.replace(/\D/g, '');
    if (all === '') return text;
    const bytes = createHmac('sha256', this.key).update(all).digest();
    let n = 0;
    return text.replace(/\d/g, () => String(1 + ((bytes[n++ % bytes.length] ?? 0) % 9)));
  }
}

const blank = (text: string): string => text.replace(/\S/g, 'x');
