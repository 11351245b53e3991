import type { ModelMessage } from '@parley/providers';

/** The instruction for another model that continues an interrupted reply. */
const goOn =
  'The connection was lost in the middle of your reply. Continue it with the very next word. Do not repeat anything and do not mention the interruption.';

export const continued = (messages: readonly ModelMessage[], said: string): readonly ModelMessage[] => [
  ...messages,
  { role: 'assistant', text: said },
  { role: 'user', text: goOn },
];

/** The parts of the spoken text that another model may repeat: the whole text, and its end from the beginning of each sentence on. */
function repeatable(said: string): string[] {
  const starts = [0];
  for (const { index, 0: mark } of said.matchAll(/[.!?…。！？]+["')\]]*\s+/gu)) starts.push(index + mark.length);
  const words = [...said.matchAll(/\S+/gu)].slice(-4).map(({ index }) => index);
  return [...new Set([...starts, ...words])].map((start) => said.slice(start).trim()).filter((part) => part !== '');
}

/** Passes on the text of a continuation, without what the model repeats. */
export class Continuation {
  private readonly parts: readonly string[];
  private waiting: string | undefined = '';

  constructor(private readonly said: string) {
    this.parts = repeatable(said);
  }

  /** Returns the new part of the text; '' while it is not known yet. */
  read(text: string): string {
    if (this.waiting === undefined) return text;
    this.waiting += text;
    const begun = this.waiting.trimStart();
    const longer = this.parts.some((part) => part.length > begun.length && part.startsWith(begun));
    return longer ? '' : this.decide(begun);
  }

  /** Called when the reply has ended. Returns the rest. */
  end(): string {
    return this.waiting === undefined ? '' : this.decide(this.waiting.trimStart());
  }

  private decide(begun: string): string {
    this.waiting = undefined;
    const repeated = this.parts.filter((part) => begun.startsWith(part)).sort((a, b) => b.length - a.length)[0];
    const rest = repeated === undefined ? begun : begun.slice(repeated.length);
    // Adds the missing space between words.
    const gap = /\S$/u.test(this.said) && /^[\p{L}\p{N}]/u.test(rest) && repeated === undefined ? ' ' : '';
    return /\s$/u.test(this.said) ? rest.trimStart() : gap + rest;
  }
}
