import { createHmac, randomBytes } from 'node:crypto';
import type { CallInput, ToolCall } from '../core/inputs';
import type { CallPlan } from '../core/plan';
import type { ResumedCall } from '../core/state';

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
export class Redaction {
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
