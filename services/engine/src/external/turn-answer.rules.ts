/** A chunk of the agent's text from the customer's server, or its end. */
export type TurnEvent =
  | { readonly type: 'delta'; readonly text: string }
  | { readonly type: 'done'; readonly endCall: boolean; readonly transferTo: string | undefined };

/** The response does not match docs/external-modes.md. */
export class InvalidAnswer extends Error {}

/** Parses a complete JSON response. @throws InvalidAnswer */
export function turnOf(json: string): TurnEvent[] {
  const answer = objectIn(json);
  return [{ type: 'delta', text: textIn(answer) }, doneOf(answer)];
}

/** Parses one event of a stream; undefined for an unknown type, which is skipped. @throws InvalidAnswer */
export function turnEventOf({ type, data }: ServerSentEvent): TurnEvent | undefined {
  if (type === 'delta') return { type: 'delta', text: textIn(objectIn(data)) };
  return type === 'done' ? doneOf(objectIn(data === '' ? '{}' : data)) : undefined;
}

export interface ServerSentEvent {
  readonly type: string;
  readonly data: string;
}

/** Parses a stream of server-sent events, regardless of chunk boundaries. */
export class EventReader {
  private rest = '';
  private type = '';
  private data: string[] = [];

  push(text: string): ServerSentEvent[] {
    // A CR at the end may be the first half of a CRLF, whose LF is in the next chunk.
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.line(line));
  }

  private line(line: string): ServerSentEvent[] {
    if (line === '') {
      const event = { type: this.type, data: this.data.join('\n') };
      this.type = '';
      this.data = [];
      return event.type === '' && event.data === '' ? [] : [event];
    }
    const [, field = line, value = ''] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') this.type = value;
    if (field === 'data') this.data.push(value);
    return [];
  }
}

type Answer = Readonly<Record<string, unknown>>;

function objectIn(json: string): Answer {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Answer;
  } catch {
    // Invalid JSON is rejected like any response that is not an object.
  }
  throw new InvalidAnswer('the answer is not a JSON object');
}

function textIn({ text = '' }: Answer): string {
  if (typeof text !== 'string') throw new InvalidAnswer('text must be a string');
  return text;
}

function doneOf({ end_call: endCall, transfer_to: transferTo }: Answer): TurnEvent {
  if (endCall !== undefined && endCall !== null && typeof endCall !== 'boolean')
    throw new InvalidAnswer('end_call must be true or false');
  if (transferTo !== undefined && transferTo !== null && typeof transferTo !== 'string')
    throw new InvalidAnswer('transfer_to must be a string');
  return { type: 'done', endCall: endCall === true, transferTo: transferTo ?? undefined };
}
