import { jsonSchemaOf, type AnyRoute } from '@parley/contract';
import type { RouteModule } from './route';

/** A route with the values derived once from its declaration. */
export interface ServedRoute {
  readonly declaration: AnyRoute;
  /** Undefined if requests are forwarded to the declared service. */
  readonly handle: RouteModule['handle'] | undefined;
  /** Its body names a project, without a record that would determine it. */
  readonly bodyNamesProject: boolean;
  /** Its body may repeat the project of the record that its path names. */
  readonly bodyRepeatsProject: boolean;
  /** Its body may carry the Idempotency-Key. */
  readonly bodyCarriesKey: boolean;
  /** Its query filters by project. */
  readonly queryNamesProject: boolean;
}

/** The methods of one path. */
export interface PathEntry {
  /** As declared, such as /v1/agents/{agent_id}. */
  readonly path: string;
  readonly methods: ReadonlyMap<string, ServedRoute>;
  /** The Allow list of a 405. */
  readonly allow: readonly string[];
}

/**
 * Binds declarations to handlers, by path; a declaration with a service is forwarded and has none.
 * @throws Error naming every declared route without a handler, handler without a declaration, and duplicate: a startup check
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

/** A route with GET also serves HEAD (RFC 9110 section 9.3.2). */
const allowedOf = (methods: readonly string[]): string[] =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();

/**
 * The owner responds to any project other than the agent's with a 404, also one of another organization (docs/reference/variables-and-workflows.md#templates).
 */
const judgesProject: ReadonlySet<string> = new Set(['create-template-message']);

function served(declaration: AnyRoute, handle: ServedRoute['handle']): ServedRoute {
  const { body, query, byId, method } = declaration;
  // A write by id without its own body may repeat the workspace like any other.
  const projectInBody = body === undefined ? byId !== undefined && method !== 'GET' : namesProject(body);
  return {
    declaration,
    handle,
    bodyNamesProject: byId === undefined && projectInBody,
    bodyRepeatsProject: byId !== undefined && projectInBody && !judgesProject.has(declaration.id),
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
