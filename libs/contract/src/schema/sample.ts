import type { Class, ClassOf, NestedFacts } from '../rules/class-facts';
import { planOf, type PlannedField } from '../rules/plan';
import { words } from './descriptions';

/** The prefix of an id, derived from its field name: `org_` for organization_id. */
const prefixOf = (name: string): string =>
  /`([a-z]+_)(?:…|`)/.exec(words[name] ?? '')?.[1] ?? `${name.slice(0, -'_id'.length)}_`;

const emptyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/** What fields of these names usually contain, in requests and in answers. */
const typical: Readonly<Record<string, unknown>> = {
  at: '2026-01-31T12:00:00.000Z',
  start: '2026-01-31T12:00:00.000Z',
  audio_stream_url: 'wss://receiver.example/audio',
  base_url: 'https://api.example/v1',
  carrier: 'simulator',
  carriers: 'simulator',
  countries: 'US',
  created_by: 'key_01kc',
  currency: 'USD',
  host: 'sip.example.com',
  id: 'evt_01kc',
  inbound_agent_id: 'agt_01kc',
  language: 'en',
  languages: 'en',
  last_four: 'a1b2',
  previous_until: '2026-01-31T12:00:00.000Z',
  provider: 'simulator',
  resource_id: 'call_01kc',
  schema_hash: emptyHash,
  scopes: 'agents:read',
  sha256: emptyHash,
  declaration: emptyHash,
  since: '2026-01-31T12:00:00.000Z',
  subject: 'key_01kc',
  target_language: 'de',
  time_zone: 'Europe/Berlin',
  turn_id: '3',
  turn_ids: '3',
  voice_id: 'sim-anna',
  url: 'https://receiver.example/events',
  webhook_url: 'https://receiver.example/events',
  websocket_url: 'wss://receiver.example/audio',
};

/** Sample values that a field's name implies, used if its rules imply none. */
function byName(name: string): unknown[] {
  if (Object.hasOwn(typical, name)) return [typical[name]];
  if (name.endsWith('_at')) return ['2026-01-31T12:00:00.000Z'];
  if (/_ids?$/.test(name)) return [`${prefixOf(name.replace(/s$/, ''))}01kc`];
  return /^(to|from|phone_numbers?)$/.test(name) ? ['+14155550100'] : [];
}

/** Tried in this order: the first value that the field's rules accept is used. */
const usual = ['example', 1, true, {}, 0, '+14155550100', 'en', 'US', '09:00', 'Europe/Berlin', 'a'];

function urlOf({ facts }: PlannedField): string | undefined {
  if (facts.url === undefined) return undefined;
  return facts.url === 'http' ? 'https://receiver.example/events' : 'wss://receiver.example/audio';
}

function ofRules(cls: Class, field: PlannedField): unknown {
  const constraint = (rule: string): unknown => field.rules.find(({ name }) => name === rule)?.constraints[0];
  const allowed = constraint('isIn');
  const values = [
    ...(Array.isArray(allowed) ? (allowed as unknown[]) : []),
    constraint('equals'),
    constraint('min'),
    ...byName(field.name),
    ...usual,
    'x'.repeat(64),
  ].filter((value) => value !== undefined);
  const isList = field.rules.some(({ each, name }) => each || name.startsWith('array') || name === 'isArray');
  const found = values.find((value) =>
    field.rules.every((rule) => (rule.each || !isList ? rule.passes(value) : rule.passes([value]))),
  );
  if (found !== undefined) return isList ? [found] : found;
  if (field.facts.nullable) return null;
  throw new Error(`${cls.name}.${field.name}: no usual value passes its rules; give the field an @Example`);
}

/** A sample of the first of several classes. */
function ofFirst(
  { property, classes }: Exclude<NestedFacts['shape'], ClassOf>,
  answered: boolean,
  depth: number,
): object {
  const [[kind, of] = []] = Object.entries(classes);
  return of === undefined ? {} : { ...sampleOf(of(), answered, depth + 1), [property]: kind };
}

/** Whether an example shows the field as null, which keeps examples short: most such fields belong to something that has not happened. */
const isShownNull = ({ facts }: PlannedField): boolean => facts.nullable === true;

function fieldSample(cls: Class, field: PlannedField, answered: boolean, depth: number): unknown {
  const { example, nested } = field.facts;
  if (example !== undefined) return example;
  if (answered && isShownNull(field)) return null;
  if (nested === undefined) return urlOf(field) ?? ofRules(cls, field);
  const { shape, each, orText } = nested;
  if (orText !== undefined) return each ? ['example'] : 'example';
  // Lists inside a nested record are shown only in the record's own example.
  if (answered && each && depth > 0) return [];
  const value = typeof shape === 'function' ? sampleOf(shape(), answered, depth + 1) : ofFirst(shape, answered, depth);
  return each ? [value] : value;
}

/**
 * A value of a class that its rules accept. It contains the required fields and those with an `@Example`, and with `answered` also the fields that occur only
 * in reads.
 * @throws Error naming a field that needs an `@Example`
 */
export function sampleOf(cls: Class, answered = false, depth = 0): Record<string, unknown> {
  const fields = planOf(cls).fields.filter(
    ({ facts }) =>
      facts.example !== undefined || (facts.presence === 'required' && (answered || facts.readOnly !== true)),
  );
  return Object.fromEntries(fields.map((field) => [field.name, fieldSample(cls, field, answered, depth)]));
}
