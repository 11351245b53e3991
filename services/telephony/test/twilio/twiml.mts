/** TwiML, read as strictly as its documentation is: an element or attribute that is not listed here is an error. */

export interface Verb {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text: string;
  readonly children: readonly Verb[];
}

interface Rule {
  readonly attributes: readonly string[];
  readonly children: readonly string[];
  readonly text?: boolean;
}

const rules: Readonly<Record<string, Rule>> = {
  Response: { attributes: [], children: ['Connect', 'Redirect', 'Pause', 'Say', 'Hangup', 'Reject', 'Dial'] },
  Connect: { attributes: ['action', 'method'], children: ['Stream'] },
  Stream: { attributes: ['url', 'name', 'track', 'statusCallback', 'statusCallbackMethod'], children: ['Parameter'] },
  Parameter: { attributes: ['name', 'value'], children: [] },
  Redirect: { attributes: ['method'], children: [], text: true },
  Pause: { attributes: ['length'], children: [] },
  Say: { attributes: ['voice', 'language', 'loop'], children: [], text: true },
  Hangup: { attributes: [], children: [] },
  Reject: { attributes: ['reason'], children: [] },
  Dial: { attributes: ['callerId', 'timeout', 'action', 'method'], children: ['Number', 'Conference'], text: true },
  Number: { attributes: [], children: [], text: true },
  Conference: {
    attributes: ['beep', 'startConferenceOnEnter', 'endConferenceOnExit', 'waitUrl', 'waitMethod', 'muted'],
    children: [],
    text: true,
  },
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const unescaped = (text: string): string =>
  text.replace(/&(\w+);/g, (whole, name: string) => {
    const character = entities[name];
    if (character === undefined) throw new Error(`TwiML: the entity ${whole} is unknown`);
    return character;
  });

/** @returns the verbs of the response. @throws Error for anything that is not TwiML */
export function readTwiml(markup: string): readonly Verb[] {
  const body = markup.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, '');
  const tokens = body.match(/<[^>]*>|[^<]+/g) ?? [];
  const root = { name: '', attributes: {}, text: '', children: [] as Verb[] };
  const open: { name: string; attributes: Record<string, string>; text: string; children: Verb[] }[] = [root];
  for (const token of tokens) {
    const parent = open.at(-1);
    if (parent === undefined) throw new Error('TwiML: an element too many is closed');
    if (!token.startsWith('<')) {
      if (token.trim() !== '' && rules[parent.name]?.text !== true) throw new Error(`TwiML: text in <${parent.name}>`);
      parent.text += unescaped(token);
      continue;
    }
    if (token.startsWith('</')) {
      if (token !== `</${parent.name}>`) throw new Error(`TwiML: ${token} closes <${parent.name}>`);
      open.pop();
      continue;
    }
    const verb = elementOf(token, parent.name);
    parent.children.push(verb);
    if (!token.endsWith('/>')) open.push(verb);
  }
  const [response, ...more] = root.children;
  if (open.length !== 1 || response?.name !== 'Response' || more.length > 0) throw new Error('TwiML: no <Response>');
  return response.children;
}

function elementOf(token: string, parent: string) {
  const match = /^<(\w+)((?:\s+\w+="[^"]*")*)\s*\/?>$/.exec(token);
  const [, name = '', rest = ''] = match ?? [];
  const rule = rules[name];
  if (rule === undefined) throw new Error(`TwiML: ${token} is unknown`);
  if (parent === '' ? name !== 'Response' : rules[parent]?.children.includes(name) !== true)
    throw new Error(`TwiML: <${name}> in <${parent}>`);
  const attributes: Record<string, string> = {};
  for (const [, attribute = '', value = ''] of rest.matchAll(/(\w+)="([^"]*)"/g)) {
    if (!rule.attributes.includes(attribute)) throw new Error(`TwiML: <${name}> has no attribute ${attribute}`);
    attributes[attribute] = unescaped(value);
  }
  return { name, attributes, text: '', children: [] as Verb[] };
}
