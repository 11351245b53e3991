type JsonSchema = Record<string, unknown>;

const text = (description: string): JsonSchema => ({ type: 'string', description });
const flag = (description: string): JsonSchema => ({ type: 'boolean', description });
const count = (description: string): JsonSchema => ({ type: 'integer', description });

/** An object that has at least these fields. */
const open = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: true,
});

const figures = {
  cost_micros_per_minute: count('Millionths of a US dollar for a minute of call.'),
  latency_ms: count('Milliseconds, typical.'),
  estimated: {
    type: 'array',
    items: { type: 'string' },
    description: 'Which of the figures are estimates.',
  },
};

const languages: JsonSchema = {
  type: ['array', 'null'],
  items: { type: 'string' },
  description: 'Language codes; null: any language.',
};

/** What providers and models of the catalogue have in common, whatever their component. In lower case, like shared fields: these are no classes. */
export const catalogueParts: Readonly<Record<string, JsonSchema>> = {
  catalogue_provider: {
    ...open({
      provider: text('Its name in selections.'),
      label: text('A name for people.'),
      requires_account: flag('Whether it needs a credential.'),
    }),
    description: 'A provider of the catalogue.',
  },
  catalogue_model: {
    ...open({ model: text('Its name in selections.'), languages, ...figures }),
    description: 'A model of the catalogue.',
  },
};

function extending(base: string, properties: Record<string, JsonSchema>): JsonSchema {
  const known = { $ref: `#/components/schemas/${base}` };
  return Object.keys(properties).length === 0 ? known : { allOf: [known, { properties }] };
}

const providers = (model: Record<string, JsonSchema>): JsonSchema => ({
  items: extending('catalogue_provider', {
    models: {
      type: 'array',
      description: 'Its models.',
      items: extending('catalogue_model', model),
    },
  }),
});

const perComponent = (): JsonSchema => ({
  properties: {
    ...Object.fromEntries(
      ['engine', 'transcriber', 'model', 'voice', 'total'].map((part) => [
        part,
        { type: ['integer', 'null'], description: part === 'total' ? 'Their sum.' : `Of the ${part}.` },
      ]),
    ),
    estimated: flag('Whether a value is an estimate.'),
    unknown: {
      type: 'array',
      items: { type: 'string' },
      description: 'The components whose value is unknown and counts as 0.',
    },
  },
});

const anyJson: JsonSchema = {
  type: ['object', 'array', 'string', 'number', 'boolean', 'null'],
  additionalProperties: true,
  items: { type: ['object', 'string', 'number', 'boolean', 'null'], additionalProperties: true },
};

/** Tools as a client has read them. They are not validated but only compared with the current list, so invalid ones simply differ from it. */
const readTools: JsonSchema = { items: anyJson };

/** The schemas of fields without validation rules, by class and field: fields of responses, and values that are only compared. */
export const shapes: Readonly<Record<string, JsonSchema>> = {
  'AgentUpdate.expected_tools': readTools,
  'AgentVoiceStackUpdate.expected_tools': readTools,
  'AgentCatalogue.conversation_engines': {
    additionalProperties: open({
      available: flag('Whether this release can conduct calls with it.'),
      label: text('A name for people.'),
      has_language_axis: flag('Whether languages have a meaning on it.'),
      supports_navigation: flag('Whether phone menus can be navigated on it.'),
      ...figures,
    }),
  },
  'AgentCatalogue.transcribers': providers({
    fast_words: flag('Whether words arrive while they are spoken.'),
    candidate_limit: count('How many languages one connection can listen for.'),
  }),
  'AgentCatalogue.models': providers({}),
  'AgentCatalogue.voices': providers({
    delivery_control: text('What `delivery` changes.'),
    default_voice_id: { type: ['string', 'null'], description: 'Used where a selection names none; null: it must.' },
  }),
  'AgentVoiceStack.cost': perComponent(),
  'AgentVoiceStack.latency': perComponent(),
  'VoiceStackPreview.cost': perComponent(),
  'VoiceStackPreview.latency': perComponent(),
  'PublicationChange.before': anyJson,
  'PublicationChange.after': anyJson,
  'ScopeCatalogueView.groups': { additionalProperties: { type: 'array', items: { type: 'string' } } },
};
