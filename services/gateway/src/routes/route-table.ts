import { jsonSchemaOf, type AnyRoute } from '@parley/contract';
import type { RouteModule } from './route';

/** A declared route with values that are derived from the declaration once. */
export interface ServedRoute {
  readonly declaration: AnyRoute;
  /** Undefined if requests are forwarded to the declared service. */
  readonly handle: RouteModule['handle'] | undefined;
  /** Whether the body specifies a project that no existing record determines. */
  readonly bodyNamesProject: boolean;
  /** Whether the body may repeat the project of the record in the path. */
  readonly bodyRepeatsProject: boolean;
  /** Whether the body may contain the Idempotency-Key. */
  readonly bodyCarriesKey: boolean;
  /** Whether the query can filter by project. */
  readonly queryNamesProject: boolean;
}

/** The methods of one path. */
export interface PathEntry {
  /** The path as declared, such as /v1/agents/{agent_id}. */
  readonly path: string;
  readonly methods: ReadonlyMap<string, ServedRoute>;
  /** The methods in the Allow header of a 405. */
  readonly allow: readonly string[];
}

/**
 * Binds declarations to handlers, by path. A declaration with a service needs no handler, because its requests are forwarded. Called at startup.
 * @throws Error that lists every declared route without a handler, every handler without a declaration, and all duplicates
 */
export function routeTable(modules: readonly RouteModule[], declared: readonly AnyRoute[]): readonly PathEntry[] {
  const errors: string[] = [];
  const handlers = new Map<string, RouteModule>();
  for (const module of modules) {
    const { id } = module.declaration;
    if (handlers.has(id)) errors.push(`${id} has two handlers`);
    if (!declared.includes(module.declaration)) errors.push(`${id} has a handler but is not declared`);
    if (module.declaration.service !== undefined) errors.push(`${id} has a handler but is forwarded`);
    handlers.set(id, module);
  }
  const paths = new Map<string, Map<string, ServedRoute>>();
  for (const declaration of declared) {
    const { id, method, path, service } = declaration;
    const handler = handlers.get(id);
    const methods = paths.get(path) ?? new Map<string, ServedRoute>();
    if (handler === undefined && service === undefined) errors.push(`${id} (${method} ${path}) has no handler`);
    else if (methods.has(method)) errors.push(`${id}: ${method} ${path} is declared twice`);
    else methods.set(method, served(declaration, handler?.handle));
    paths.set(path, methods);
  }
  if (errors.length > 0) throw new Error(`the routes do not fit together: ${errors.join('; ')}`);
  return [...paths].map(([path, methods]) => ({ path, methods, allow: allowedOf([...methods.keys()]) }));
}

/** A route with GET also supports HEAD (RFC 9110 section 9.3.2). */
const allowedOf = (methods: readonly string[]): string[] =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();

/**
 * Routes whose owning service checks the project itself: it responds with 404 to any project other than the agent's, including those of other organizations
 * (docs/reference/variables-and-workflows.md#templates).
 */
const checksProject: ReadonlySet<string> = new Set(['create-template-message']);

function served(declaration: AnyRoute, handle: ServedRoute['handle']): ServedRoute {
  const { body, query, byId, method } = declaration;
  // A write by id without a declared body may still repeat the workspace in a body.
  const projectInBody = body === undefined ? byId !== undefined && method !== 'GET' : namesProject(body);
  return {
    declaration,
    handle,
    bodyNamesProject: byId === undefined && projectInBody,
    bodyRepeatsProject: byId !== undefined && projectInBody && !checksProject.has(declaration.id),
    bodyCarriesKey: declaration.creates && body !== undefined && 'idempotency_key' in propertiesOf(body),
    queryNamesProject: namesProject(query),
  };
}

function namesProject(cls: new () => object): boolean {
  const project = propertiesOf(cls)['project_id'];
  return project !== undefined && project.readOnly !== true;
}

const propertiesOf = (cls: new () => object) =>
  (jsonSchemaOf(cls).properties ?? {}) as Readonly<Record<string, { readOnly?: boolean }>>;
