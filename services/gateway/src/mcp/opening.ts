/** The method and tool name at the beginning of a message, and its id from the beginning or the end. */
export interface Opening {
  readonly method?: string;
  /** The value of `params.name`. */
  readonly tool?: string;
  readonly id?: string | number;
}

const beginningBytes = 4 * 1024;
const endBytes = 256;

/** Matches a string, a number or literal, or one structural character. */
const token = /\s*(?:("(?:[^"\\]|\\.)*")|([-\w.+]+)|([{}[\],:]))/y;

/** Matches an `id` that is the last member of the message object, before its closing brace. `jsonrpc` may follow it. */
const lastId = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?\d{1,15})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/**
 * Reads the key fields of a message without parsing it: clients write `method` and the tool's name before the arguments, and `id` before or after `params`. The
 * result may only be used to refuse messages, because invalid JSON may begin the same way.
 */
export function openingOf(bytes: Buffer): Opening {
  const found: { method?: string; tool?: string; id?: string | number } = {};
  const text = bytes.toString('utf8', 0, beginningBytes);
  /** The current key of each open object; null for an array. */
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
