import { openApiDocument } from '@parley/contract';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly description?: string;
  readonly deprecated?: boolean;
}

/** The sections of the voice stack that tune calls, by the class of each. */
const sections: Readonly<Record<string, string>> = {
  opening: 'AgentOpening',
  turn_taking: 'AgentTurnTaking',
  voice_polish: 'AgentVoicePolish',
  answer_detection: 'AgentAnswerDetection',
  navigation: 'AgentNavigation',
  audio_environment: 'AgentAudioEnvironment',
};

const figure = (value: number): string => value.toLocaleString('en-US');

function valuesOf({ type, enum: values, minimum, maximum, minItems, maxItems, maxLength }: Schema): string {
  if (values !== undefined) return values.map((value) => `\`${String(value)}\``).join(', ');
  const names = [type ?? []].flat().join(' or ');
  if (minimum !== undefined && maximum !== undefined) return `${names}, ${figure(minimum)} to ${figure(maximum)}`;
  if (maxLength !== undefined) return `${names}, at most ${figure(maxLength)} characters`;
  return maxItems === undefined ? names : `${names}, ${figure(minItems ?? 0)} to ${figure(maxItems)} items`;
}

function tables(): string[] {
  const { components } = JSON.parse(JSON.stringify(openApiDocument())) as {
    components: { schemas: Record<string, Schema> };
  };
  const named = (ref: string): Schema => components.schemas[ref.split('/').at(-1) ?? ''] ?? {};
  const resolved = (schema: Schema): Schema => {
    const { description } = schema;
    const only = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
    if (only.length === 1 && only[0])
      return { ...resolved(only[0]), ...(description === undefined ? {} : { description }) };
    if (schema.$ref === undefined) return schema;
    return { ...resolved(named(schema.$ref)), ...(description === undefined ? {} : { description }) };
  };
  const rows = (at: string, schema: Schema): string[] =>
    Object.entries(schema.properties ?? {}).flatMap(([name, one]) => {
      const field = resolved(one);
      const where = `${at}.${name}`;
      const values = field.properties === undefined ? valuesOf(field) : 'object';
      const meaning = `${field.deprecated ? 'Deprecated. ' : ''}${field.description ?? ''}`.replaceAll('|', '\\|');
      return [`| \`${where}\` | ${values} | ${meaning} |`, ...rows(where, field)];
    });
  return Object.entries(sections).flatMap(([section, name]) => {
    const found = components.schemas[name];
    if (found === undefined) throw new Error(`the contract has no class ${name}`);
    return [`## ${section}`, '', '| field | values | meaning |', '| --- | --- | --- |', ...rows(section, found), ''];
  });
}

/** Generates docs/reference/tuning-fields.md. */
export const tuningFieldsPage = (): string =>
  [
    '# Fields of the tuning',
    '',
    'Generated from the classes of the contract. Bounds are inclusive. What the fields do in a call: [tuning](tuning.md).',
    '',
    ...tables(),
  ].join('\n');
