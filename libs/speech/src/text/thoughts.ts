/** Names of the tags in which models think aloud. */
const names = ['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reflection', 'scratchpad', 'seed:think'];
const named = names.join('|');
const opening = new RegExp(
  `<(?:${named})(?:\\s[^<>]{0,64})?>|\\[THINK\\]|◁think▷|<\\|channel\\|>(?:analysis|commentary)<\\|message\\|>`,
  'i',
);
const closing = new RegExp(`</(?:${named})\\s*>|\\[/THINK\\]|◁/think▷|<\\|end\\|>`, 'i');
/** Written around the reply by models that write every channel. */
const mark = /<\|(?:start|channel)\|>(?:assistant|final)|<\|(?:message|end|return)\|>/i;
const tags = [
  ...names.flatMap((name) => [`<${name}>`, `</${name}>`]),
  ...['[think]', '[/think]', '◁think▷', '◁/think▷'],
  ...['analysis', 'commentary'].map((channel) => `<|channel|>${channel}<|message|>`),
  ...['<|channel|>final', '<|start|>assistant', '<|message|>', '<|end|>', '<|return|>'],
];
/** A tag whose name is complete. */
const unended = new RegExp(`^</?(?:${named})\\s[^<>]{0,64}$`, 'i');

/** Where the beginning of a tag starts that the next piece may complete. */
function begunAt(text: string): number {
  for (let at = Math.max(0, text.length - 80); at < text.length; at += 1) {
    if (!'<[◁'.includes(text.charAt(at))) continue;
    const tail = text.slice(at).toLowerCase();
    if (tags.some((tag) => tag.startsWith(tail)) || unended.test(tail)) return at;
  }
  return text.length;
}

/** Removes the thoughts of a model from its text, which arrives in pieces; tags may be divided between them. */
export class Thoughts {
  private rest = '';
  private thinks = false;
  private wrote = '';

  read(piece: string): string {
    this.rest += piece;
    return this.written(this.take());
  }

  /** The rest, after the last piece. A thought without an end is dropped. */
  end(): string {
    const text = this.take() + (this.thinks ? '' : this.rest);
    this.rest = '';
    return this.written(text);
  }

  private take(): string {
    let text = '';
    for (;;) {
      if (this.thinks) {
        const found = closing.exec(this.rest);
        if (found === null) {
          // Only the beginning of an end can still matter.
          this.rest = this.rest.slice(-64);
          return text;
        }
        this.thinks = false;
        this.rest = this.rest.slice(found.index + found[0].length);
        continue;
      }
      const found = first([opening, closing, mark], this.rest);
      if (found === undefined) {
        const until = begunAt(this.rest);
        text += this.rest.slice(0, until);
        this.rest = this.rest.slice(until);
        return text;
      }
      text += this.rest.slice(0, found.at);
      this.thinks = found.pattern === opening;
      this.rest = this.rest.slice(found.at + found.length);
    }
  }

  /** Without the white space at the beginning, which separated the reply from a thought. */
  private written(text: string): string {
    const shown = this.wrote === '' ? text.trimStart() : text;
    if (shown !== '') this.wrote = shown.slice(-1);
    return shown;
  }
}

function first(patterns: readonly RegExp[], text: string) {
  if (!/[<[◁]/u.test(text)) return undefined;
  const found = patterns.flatMap((pattern) => {
    const match = pattern.exec(text);
    return match === null ? [] : [{ pattern, at: match.index, length: match[0].length }];
  });
  return found.sort((a, b) => a.at - b.at)[0];
}
