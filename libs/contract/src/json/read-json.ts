import type { JsonObject, JsonValue } from './json-value';

/**
 * Reads text that must be valid JSON, not nested deeper than a body may be, and without the name `__proto__`.
 * Used only for text with an escape in a name. V8 of Node 24 and 26 can return such a name incorrectly: after any text with a backslash in a name was parsed,
 * `{"h":1,"\n":2}` may be read as `{"h":1,"\\":2}` (nodejs/node#63785). Names without escapes are not affected.
 */
export function readJson(text: string): JsonValue {
  return new Reader(text).value();
}

class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  value(): JsonValue {
    switch (this.peek()) {
      case '{':
        return this.object();
      case '[':
        return this.list();
      case '"':
        return this.string();
      case 't':
        return this.word('true', true);
      case 'f':
        return this.word('false', false);
      case 'n':
        return this.word('null', null);
      default:
        return this.number();
    }
  }

  private object(): JsonObject {
    const object: JsonObject = {};
    this.at++;
    while (this.peek() !== '}') {
      if (this.peek() === ',') this.at++;
      this.peek();
      const name = this.string();
      this.peek();
      // Skips the colon.
      this.at++;
      object[name] = this.value();
    }
    this.at++;
    return object;
  }

  private list(): JsonValue[] {
    const list: JsonValue[] = [];
    this.at++;
    while (this.peek() !== ']') {
      if (this.peek() === ',') this.at++;
      list.push(this.value());
    }
    this.at++;
    return list;
  }

  private string(): string {
    const start = this.at++;
    while (this.text[this.at] !== '"') this.at += this.text[this.at] === '\\' ? 2 : 1;
    this.at++;
    return JSON.parse(this.text.slice(start, this.at)) as string;
  }

  private number(): number {
    const start = this.at;
    while (/[-+.0-9eE]/.test(this.text[this.at] ?? '')) this.at++;
    return Number(this.text.slice(start, this.at));
  }

  private word<T>(word: string, value: T): T {
    this.at += word.length;
    return value;
  }

  /** The next character that is not white space. */
  private peek(): string | undefined {
    while (this.text.charCodeAt(this.at) <= 0x20) this.at++;
    return this.text[this.at];
  }
}
