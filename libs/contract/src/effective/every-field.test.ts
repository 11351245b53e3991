import { EffectiveTuning } from '../documents/effective-tuning';
import { AgentAnswerDetection } from '../objects/answer-detection';
import { AgentAudioEnvironment } from '../objects/audio-environment';
import { AgentNavigation } from '../objects/navigation';
import { AgentOpening } from '../objects/opening';
import { AgentTurnTaking } from '../objects/turn-taking';
import { AgentVoicePolish } from '../objects/voice-polish';
import type { Class } from '../rules/class-facts';
import { planOf, type PlannedField } from '../rules/plan';
import { defaultsOf, fieldPaths } from '../rules/resolved';
import { validate } from '../rules/validate';
import { effectiveTuning } from './effective-tuning';

/** The sections of tuning that apply to a call. Each of their fields must affect the effective values of a call. */
const sections = {
  opening: AgentOpening,
  turn_taking: AgentTurnTaking,
  voice_polish: AgentVoicePolish,
  answer_detection: AgentAnswerDetection,
  navigation: AgentNavigation,
  audio_environment: AgentAudioEnvironment,
} as const satisfies Record<string, Class>;

/** Other settings that are required for a field to take effect. */
const around: Readonly<Record<string, object>> = {
  'voice_polish.tool_wait.phrases': { mode: 'acknowledge' },
  'audio_environment.volume': { preset: 'office' },
  'navigation.max_hold_seconds': { enabled: true },
  'navigation.max_navigation_seconds': { enabled: true },
};

const effective = (section: Readonly<Record<string, unknown>>) =>
  effectiveTuning({
    channel: 'phone',
    direction: 'outbound',
    hosted: true,
    language: 'en-US',
    publication: {
      voice_frontend: 'cascade',
      language: 'en-US',
      starting_language: null,
      follow_caller: null,
      profiles: [],
      first_message: null,
      transcriber: { provider: 'ears', model: 'fast' },
      voice: { provider: 'mouth', model: 'plain', voice_id: 'v' },
    },
    tuning: { navigation_ineligible_reason: null, ...section },
    catalogue: { hasComponents: () => true, wordsArriveFast: () => true, deliveryOf: () => undefined },
  });

/** Values allowed by the field's rules, other than its default. */
function samplesOf(cls: Class, { name, facts, rules }: PlannedField): unknown[] {
  const of = (rule: string): unknown => rules.find((each) => each.name === rule)?.constraints[0];
  const candidates = [of('min'), of('max'), false, true, 'a phrase', ['a phrase'], { en: 'a phrase' }, 0];
  const enumerated = of('isIn');
  return [...(Array.isArray(enumerated) ? (enumerated as unknown[]) : []), ...candidates].filter(
    (value) =>
      value !== undefined &&
      value !== (defaultsOf(cls) as Record<string, unknown>)[name] &&
      !facts.nested &&
      rules.every((rule) =>
        rule.each ? Array.isArray(value) && value.every((item) => rule.passes(item)) : rule.passes(value),
      ),
  );
}

interface Row {
  readonly path: string;
  readonly cls: Class;
  readonly field: PlannedField;
}

function rowsOf(cls: Class, at: string): Row[] {
  return planOf(cls).fields.flatMap((field) => {
    const path = `${at}.${field.name}`;
    const shape = field.facts.nested?.shape;
    return typeof shape === 'function' ? rowsOf(shape(), path) : [{ path, cls, field }];
  });
}

const rows = Object.entries(sections).flatMap(([section, cls]) => rowsOf(cls, section));

/** A section that contains the value at a path such as `tool_wait.mode`, and the other settings that it requires. */
function nested(path: readonly string[], value: unknown, besides: object): Record<string, unknown> {
  const [name = '', ...rest] = path;
  return rest.length === 0 ? { ...besides, [name]: value } : { [name]: nested(rest, value, besides) };
}

describe('every field of the tuning', () => {
  it.each(rows.filter(({ field }) => !field.facts.deprecated))('$path changes the effective values', (row) => {
    const besides = around[row.path] ?? {};
    const names = row.path.split('.');
    const without = effective(nested(names.slice(0, -1), besides, {}));
    const samples = samplesOf(row.cls, row.field);
    expect(samples).not.toEqual([]);
    const changed = samples.filter(
      (value) => JSON.stringify(effective(nested(names, value, besides))) !== JSON.stringify(without),
    );
    expect(changed).not.toEqual([]);
  });

  it.each(rows.filter(({ field }) => field.facts.deprecated))(
    '$path is deprecated and does not change the effective values',
    (row) => {
      for (const value of samplesOf(row.cls, row.field))
        expect(effective(nested(row.path.split('.'), value, {}))).toEqual(effective({}));
    },
  );
});

describe('the effective values', () => {
  const resolved = JSON.parse(JSON.stringify(effective({}))) as object;

  it('are exactly those that their class declares', () => {
    const { value } = validate(EffectiveTuning, resolved, { unknown: 'refuse' });
    expect(JSON.parse(JSON.stringify(value))).toEqual(resolved);
    expect(Object.keys(value).sort()).toEqual(Object.keys(resolved).sort());
  });

  it.each(fieldPaths(EffectiveTuning))('include %s in every call', (path) => {
    const value = path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], resolved);
    expect(value).toBeDefined();
  });
});
