import { standaloneJsonSchemaOf, type AnyRoute, type JsonSchema } from '@parley/contract';
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
  const tools = served.filter(({ declaration }) => isTool(declaration)).map(toolOf);
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
  description: 'A new text for each creation; a repeat creates nothing.',
};

const ifMatch = {
  type: 'string',
  description: 'The etag of an earlier result; refused if it is stale.',
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
