import { settingsOfAgents, standaloneJsonSchemaOf, type AnyRoute, type JsonSchema } from '@parley/contract';
import type { ServedRoute } from '../routes';
import { toolsetOf, type Toolset } from './toolsets';

/** A declared route as a tool of the MCP interface. */
export interface RouteTool {
  readonly name: string;
  readonly toolset: Toolset;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema & { readonly type: 'object' };
  readonly outputSchema: JsonSchema & { readonly type: 'object' };
  readonly annotations: ToolHints;
  readonly route: ServedRoute;
  /** Arguments that are part of the path. */
  readonly inPath: readonly string[];
  /** Arguments that are part of the query. */
  readonly inQuery: readonly string[];
  /** The body fields that a caller may set. */
  readonly bodyFields: ReadonlySet<string>;
  /** Whether the body requires the organization, which the caller of a tool need not know. */
  readonly needsOrganization: boolean;
  /** The tool that is called in place of this one, by its arguments `setting` and `value`; undefined if they name none. */
  readonly variantFor?: (setting: unknown, value: unknown) => RouteTool | undefined;
}

interface ToolHints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  /** Present only if true, because false is the protocol's default and the tool list should be short. */
  readonly idempotentHint?: true;
  /** Whether the tool affects people or systems outside the platform. */
  readonly openWorldHint: boolean;
}

/** Arguments that tools have in addition to those of their route, if the route supports them. */
export const ownArguments = {
  idempotencyKey: 'idempotency_key',
  ifMatch: 'if_match',
  organizationId: 'organization_id',
} as const;

/**
 * Whether a route is available as a tool (docs/reference/mcp.md#out-of-reach). Routes for numbers, wallet, keys, credentials and providers are excluded,
 * because their resources have no toolset, and so is every route whose declaration excludes models.
 */
export const isTool = (route: AnyRoute): boolean =>
  route.mcp && toolsetOf(route) !== undefined && route.audience.includes('customer') && answersJson(route);

export const toolNameOf = ({ id, tool }: AnyRoute): string => tool?.name ?? id.replaceAll('-', '_');

/** A tool's result cannot have other media types (audio, streams). */
const answersJson = (route: AnyRoute): boolean => route.answer.media === 'application/json';

/** The tools of all eligible routes by name, in alphabetical order, so that it is the same on every replica. */
export function toolsOf(served: readonly ServedRoute[]): ReadonlyMap<string, RouteTool> {
  const tools = [...served.filter(({ declaration }) => isTool(declaration)).map(toolOf), ...settingTools(served)];
  tools.sort((one, other) => (one.name < other.name ? -1 : 1));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size !== tools.length) throw new Error('two tools have the same name');
  return byName;
}

function toolOf(route: ServedRoute): RouteTool {
  const { declaration } = route;
  const { parameters: inPath } = declaration;
  const toolset = toolsetOf(declaration);
  if (toolset === undefined) throw new Error(`${declaration.id} is not a tool`);
  const query = standaloneJsonSchemaOf(declaration.query);
  const body: ObjectSchema = declaration.body === undefined ? {} : standaloneJsonSchemaOf(declaration.body);
  const inQuery = Object.keys(propertiesOf(query)).filter((name) => !inPath.includes(name));
  return {
    name: toolNameOf(declaration),
    toolset,
    title: declaration.summary,
    description: declaration.tool?.description ?? declaration.summary,
    inputSchema: inputSchemaOf(declaration, inPath, query, body),
    outputSchema: { ...standaloneJsonSchemaOf(declaration.answer.class, 'none'), type: 'object' },
    annotations: hintsOf(declaration),
    route,
    inPath,
    inQuery,
    bodyFields: new Set(Object.keys(propertiesOf(body))),
    needsOrganization: (body.required ?? []).includes(ownArguments.organizationId),
  };
}

/** Two tools for the settings of agents, which are resources of their own: `setting` names one, `value` is its body, and null resets it. */
function settingTools(served: readonly ServedRoute[]): RouteTool[] {
  const names = Object.keys(settingsOfAgents);
  const toolsFor = (method: string): ReadonlyMap<unknown, RouteTool> =>
    new Map(
      served.flatMap((route) => {
        const name = names.find((one) => route.declaration.path === `/v1/agents/{agent_id}/${one}`);
        return name !== undefined && route.declaration.method === method ? [[name, toolOf(route)] as const] : [];
      }),
    );
  const [read, written, reset] = [toolsFor('GET'), toolsFor('PUT'), toolsFor('DELETE')];
  const [[get] = [], [put] = []] = [[...read.values()], [...written.values()]];
  if (get === undefined || put === undefined) return [];
  const input = (properties: object, ...required: readonly string[]): RouteTool['inputSchema'] => ({
    type: 'object',
    properties: {
      ...{ agent_id: { type: 'string' }, setting: { type: 'string', enum: names } },
      ...properties,
      [ownArguments.organizationId]: { type: 'string' },
    },
    required: ['agent_id', 'setting', ...required],
    additionalProperties: false,
  });
  // Without the schemas, to which the refusals of wrong values lead as well, so that the list of tools stays short.
  const fields = Object.entries(settingsOfAgents).map(([name, { defaults }]) => `${name}: ${JSON.stringify(defaults)}`);
  return [
    {
      ...get,
      name: 'get_agent_setting',
      title: 'Read a setting of an agent',
      description: 'Read a setting of an agent: keys, when those that callers press are complete.',
      inputSchema: input({}),
      outputSchema: { type: 'object' },
      variantFor: (setting) => read.get(setting),
    },
    {
      ...put,
      name: 'save_agent_setting',
      title: 'Set or reset a setting of an agent',
      description: 'Replace a setting of an agent whole; null resets it to its defaults.',
      inputSchema: input(
        {
          value: { type: ['object', 'null'], description: fields.join('; ') },
          [ownArguments.ifMatch]: ifMatch,
        },
        'value',
      ),
      outputSchema: { type: 'object' },
      variantFor: (setting, value) =>
        value === undefined ? undefined : (value === null ? reset : written).get(setting),
    },
  ];
}

interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
}

const propertiesOf = (schema: ObjectSchema): Readonly<Record<string, JsonSchema>> => schema.properties ?? {};

/** One schema for path, query and body; read-only body fields are omitted. */
function inputSchemaOf(
  route: AnyRoute,
  inPath: readonly string[],
  query: ObjectSchema,
  body: ObjectSchema,
): RouteTool['inputSchema'] {
  const writable = Object.entries(propertiesOf(body)).filter(
    ([name, schema]) => schema['readOnly'] !== true && !inPath.includes(name),
  );
  const required = [
    ...inPath,
    ...(query.required ?? []).filter((name) => !('default' in (propertiesOf(query)[name] ?? {}))),
    ...(body.required ?? []).filter((name) => !inPath.includes(name)),
  ].filter((name) => name !== ownArguments.organizationId);
  const definitions = { ...query.$defs, ...body.$defs };
  return {
    type: 'object',
    properties: {
      ...propertiesOf(query),
      ...Object.fromEntries(writable),
      ...Object.fromEntries(inPath.map((name) => [name, { type: 'string' }])),
      // Its default is in the instructions of the server, because each byte here is in the list a hundred times.
      [ownArguments.organizationId]: { type: 'string' },
      ...(route.creates ? { [ownArguments.idempotencyKey]: idempotencyKey } : {}),
      ...(route.conditional ? { [ownArguments.ifMatch]: ifMatch } : {}),
    },
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    additionalProperties: false,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
  };
}

const idempotencyKey = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Unique; repeats create nothing.',
};

const ifMatch = {
  type: 'string',
  description: 'The etag of an earlier result.',
};

/** Paths with external effects: calls, messages and campaigns reach people, webhooks reach other systems. */
const reachOut =
  /^\/v1\/(calls|messages|campaigns|agents\/\{agent_id\}\/template-messages|agent-endpoints|deliveries)(\/|$)/;

/** Ending or pausing has no external effect. */
const endsOrHolds = /\/(cancel|pause)$/;

function hintsOf({ method, path, id }: AnyRoute): ToolHints {
  const readOnly = method === 'GET' || id.startsWith('preview-') || id.startsWith('diff-');
  return {
    readOnlyHint: readOnly,
    destructiveHint: !readOnly && (method !== 'POST' || /\/(cancel|restore|revoke|disarm)$/.test(path)),
    // It has no meaning for tools that only read. A tool that creates something is idempotent only with an idempotency key, which is optional.
    ...(!readOnly && method !== 'POST' ? { idempotentHint: true } : {}),
    openWorldHint: !readOnly && method !== 'DELETE' && reachOut.test(path) && !endsOrHolds.test(path),
  };
}
