/** Generates the JSON Schemas of agents-as-code files, for editors, from docs/openapi.json and from what only the command line accepts. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../platform/options.mts';
import { document, nameOf, whole, type Schema } from './operations.mts';

const schemasFolder = path.join(root, 'clients/cli/schemas');

type Properties = Readonly<Record<string, object>>;

const componentOf = (name: string): Schema => {
  const found = document.components.schemas[name];
  if (found === undefined) throw new TypeError(`docs/openapi.json has no schema ${name}`);
  return found;
};
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

function propertiesOf(name: string): Properties {
  const { properties = {} } = whole(componentOf(name));
  return Object.fromEntries(Object.entries(properties).filter(([, { readOnly }]) => readOnly !== true));
}

/** Fields that requests have but files do not: the owner of an agent, and the expected values that a write is compared with. */
const notInFiles = ['organization_id', 'project_id', 'expected_tools', 'language_profile_revision'];

const agent = (): object => {
  const all = { ...propertiesOf('AgentVoiceStackUpdate'), ...propertiesOf('AgentUpdate') };
  const fields = Object.entries(all).filter(([name]) => !notInFiles.includes(name));
  const file = {
    type: 'object',
    description: 'A tool in a file of its own.',
    properties: { file: { type: 'string', pattern: '^tools/[^/]+\\.ya?ml$' } },
    required: ['file'],
    additionalProperties: false,
  };
  const toolName = { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' };
  return {
    description: 'The front matter of agents/<name>.md; the text below it is system_prompt.',
    type: 'object',
    properties: {
      ...Object.fromEntries(fields),
      tools: {
        description:
          'What the agent can use, each name once. `${env:NAME}` in the value of a header comes from the environment.',
        type: 'array',
        maxItems: 32,
        items: { anyOf: [toolName, file, ref('AgentTool')] },
      },
      component_credential_bindings: {
        ...ref('ComponentCredentialBindings'),
        description: 'Which stored credential each kind of component uses, by its name or its id.',
      },
      variables: {
        description: 'What the prompt and other texts name as {{name}}; replaced whole.',
        type: 'array',
        maxItems: 64,
        items: ref('AgentVariable'),
      },
    },
    additionalProperties: false,
  };
};

const suite = (): object => {
  const { properties = {} } = whole(componentOf('SimulationSuiteCreate'));
  return {
    description: 'suites/<name>.yaml: what parley simulate tries an agent with.',
    type: 'object',
    properties: {
      agent: { type: 'string', description: 'The name of a file in agents/, or an id.' },
      name: properties.name,
      scenarios: properties.scenarios,
    },
    required: ['agent', 'scenarios'],
    additionalProperties: false,
  };
};

const project = {
  description: 'parley.yaml: what --env names.',
  type: 'object',
  properties: {
    environments: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        properties: {
          profile: { type: 'string', minLength: 1, description: 'Of parley login.' },
          project: { type: 'string', pattern: '^prj_', description: 'Of new agents.' },
        },
        additionalProperties: false,
      },
    },
  },
  required: ['environments'],
  additionalProperties: false,
};

/**
 * Converts a schema of OpenAPI to JSON Schema: removes `discriminator`, examples and read-only properties, and points references to `$defs`.
 *
 * @param seen Receives the names of the schemas that are referred to.
 */
function asJsonSchema(node: unknown, seen: Set<string>): unknown {
  if (Array.isArray(node)) return node.map((one) => asJsonSchema(one, seen));
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([name]) => name !== 'discriminator' && name !== 'examples');
  return Object.fromEntries(
    entries.map(([name, value]: [string, unknown]) => {
      if (name === '$ref' && typeof value === 'string') {
        seen.add(nameOf(value));
        return [name, `#/$defs/${nameOf(value)}`];
      }
      if (name === 'properties') return [name, propertiesIn(value as Properties, seen)];
      return [name, asJsonSchema(value, seen)];
    }),
  );
}

function propertiesIn(properties: Properties, seen: Set<string>): object {
  const writable = Object.entries(properties).filter(([, one]) => !('readOnly' in one && one.readOnly === true));
  return Object.fromEntries(writable.map(([name, one]) => [name, asJsonSchema(one, seen)]));
}

/** Adds all the components that a schema refers to, directly or indirectly, as `$defs`. */
function standalone(schema: object, title: string): object {
  const seen = new Set<string>();
  const top = asJsonSchema(schema, seen) as object;
  const definitions: Record<string, unknown> = {};
  // The loop also visits the names that are added to the set while it runs.
  for (const name of seen) definitions[name] = asJsonSchema(componentOf(name), seen);
  const sorted = Object.entries(definitions).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    ...top,
    ...(sorted.length > 0 ? { $defs: Object.fromEntries(sorted) as object } : {}),
  };
}

/** The text of each schema file, by file name. */
export function schemaTexts(): ReadonlyMap<string, string> {
  const made = {
    'agent.schema.json': standalone(agent(), 'Agent of Parley'),
    'tool.schema.json': standalone(ref('AgentTool'), 'Tool of an agent of Parley'),
    'workflow.schema.json': standalone(ref('WorkflowDefinition'), 'Workflow of an agent of Parley'),
    'parley.schema.json': standalone(project, 'Environments of agents as code of Parley'),
    'suite.schema.json': standalone(suite(), 'Suite of scenarios for an agent of Parley'),
  };
  return new Map(Object.entries(made).map(([name, schema]) => [name, `${JSON.stringify(schema, null, 2)}\n`]));
}

export function generateSchemas(): void {
  mkdirSync(schemasFolder, { recursive: true });
  for (const [name, text] of schemaTexts()) writeFileSync(path.join(schemasFolder, name), text);
}
