/** What the beginning of a message says of it, and its end of its id. */
export interface Opening {
  readonly method?: string;
  /** `params.name`. */
  readonly tool?: string;
  readonly id?: string | number;
}

const beginningBytes = 4 * 1024;
const endBytes = 256;

/** A string, a number or literal, or one character of structure. */
const token = /\s*(?:("(?:[^"\\]|\\.)*")|([-\w.+]+)|([{}[\],:]))/y;

/** The last member of the message itself: one brace follows. `jsonrpc` may stand behind it. */
const lastId = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * Reads what a message is without parsing it: clients write `method` and the tool's name before the arguments, and `id` before or behind
 * `params`. Good for refusing alone: text that is no JSON may open like a message.
 */
export function openingOf(bytes: Buffer): Opening {
  const found: { method?: string; tool?: string; id?: string | number } = {};
  const text = bytes.toString('utf8', 0, beginningBytes);
  /** The name that each open object waits for a value of; null in a list. */
  const names: (string | null | undefined)[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [, string, literal, structure] = match;
    const depth = names.length;
    const name = names[depth - 1];
    if (structure === '{' || structure === '[') names.push(structure === '{' ? undefined : null);
    else if (structure === '}' || structure === ']') names.pop();
    else if (structure === ',' && name !== null) names[depth - 1] = undefined;
    else if (string !== undefined && name === undefined) {
      const next = textOf(string);
      if (depth === 2 && names[0] === 'params' && next === 'arguments') break;
      names[depth - 1] = next;
    } else if (depth === 1 || (depth === 2 && names[0] === 'params')) {
      const value = string === undefined ? Number(literal) : textOf(string);
      if (depth === 1 && name === 'method' && typeof value === 'string') found.method = value;
      if (depth === 1 && name === 'id' && isId(value)) found.id = value;
      if (depth === 2 && name === 'name' && typeof value === 'string') found.tool = value;
    }
  }
  return { ...found, ...(found.id === undefined && idAtTheEnd(bytes)) };
}

function idAtTheEnd(bytes: Buffer): { readonly id?: string | number } {
  const [, id] = lastId.exec(bytes.toString('latin1', Math.max(0, bytes.length - endBytes))) ?? [];
  if (id === undefined) return {};
  return { id: id.startsWith('"') ? textOf(id) : Number(id) };
}

const isId = (value: unknown): value is string | number => typeof value === 'string' || Number.isInteger(value);

function textOf(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    return '';
  }
}
