export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Fields whose values in an example name records, numbers, revisions, times and content that exist only there, also in the forms of carriers. */
export const ofWorld =
  /(_ids?|_numbers?|_at|Sid)$|^(sha256|token|to|To|from|From|since|active|base_revision|draft|epoch|seq)(\[\])?$/;

const kinds: readonly (readonly [string, RegExp])[] = [
  ['a time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/],
  ['an address', /^(https?|wss?):\/\//],
  ['a telephone number', /^\+[1-9]\d{1,14}$/],
  // The longest name of a tool, 64 times the same letter, is no hash.
  ['a hash', /^(?=.*\d)(?=.*[a-f])[0-9a-f]{64}$/],
  ['TwiML', /^(<\?xml[^>]*>\s*)?<Response\b/],
];

/** What a text is by its form: a time, an id with its prefix, and so on. */
function kindOf(text: string): string {
  // A prefix and at least one digit, which words have not. What is shorter is no id: `sip_404`.
  const id = /^([a-z]{2,5}_)(?=.*\d)[0-9a-z]{4,}$/.exec(text)?.[1];
  return id ?? kinds.find(([, form]) => form.test(text))?.[0] ?? 'a text';
}

function formOf(value: unknown): string {
  if (Array.isArray(value)) return 'list';
  return typeof value === 'string' ? kindOf(value) : typeof value;
}

const isNothing = (value: unknown): boolean => [null, undefined, ''].some((nothing) => value === nothing);

export interface Comparison {
  /** Where a value has another type than in the example, or is a text of another kind. */
  readonly differences: readonly string[];
  /** The fields of the example that were compared. */
  readonly compared: readonly string[];
}

/** Compares the form of a received value with that of an example. What one of them does not have is not compared. */
export function compare(example: unknown, received: unknown, at = ''): Comparison {
  if (isNothing(example) || isNothing(received)) return { differences: [], compared: [] };
  if (Array.isArray(example) && Array.isArray(received))
    return joined(received.map((one) => compareWithAny(example, one, `${at}[]`)));
  if (isObject(example) && isObject(received))
    return joined(Object.keys(example).map((name) => compare(example[name], received[name], `${at}.${name}`)));
  const [one, other] = [formOf(example), formOf(received)];
  // The subject of an act and the resource of an event are records of any kind, or a name. A name may be any text, such as an address.
  const isAnyText = /\.(subject|resource_id|name)$/.test(at) && typeof example === typeof received;
  // `as_sent`, or an object.
  const hasTwoForms = at.endsWith('.numbers');
  const differs = one !== other && !isAnyText && !hasTwoForms;
  const difference = `${at}: ${one} in the example, ${other} received`;
  return { differences: differs ? [difference] : [], compared: [at] };
}

const joined = (parts: readonly Comparison[]): Comparison => ({
  differences: [...new Set(parts.flatMap(({ differences }) => differences))],
  compared: [...new Set(parts.flatMap(({ compared }) => compared))],
});

/** The comparison with the example that is the most similar: one of several is enough. */
export function compareWithAny(examples: readonly unknown[], received: unknown, at = ''): Comparison {
  const found = examples.map((example) => compare(example, received, at));
  const closest = found.sort((one, other) => one.differences.length - other.differences.length)[0];
  return closest ?? { differences: [], compared: [] };
}

/** Whether a body is the example of a request, apart from the values that exist only in one world, and from records that must be named in addition. */
export function isAsShown(example: unknown, sent: unknown): boolean {
  if (Array.isArray(example) && Array.isArray(sent))
    return example.length === sent.length && example.every((one, index) => isAsShown(one, sent[index]));
  if (!isObject(example) || !isObject(sent)) return example === sent;
  const isKept = Object.keys(example).every((name) =>
    ofWorld.test(name) ? sent[name] !== undefined : isAsShown(example[name], sent[name]),
  );
  return isKept && Object.keys(sent).every((name) => name in example || ofWorld.test(name));
}
