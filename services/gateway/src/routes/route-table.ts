import { jsonSchemaOf, type AnyRoute } from '@parley/contract';
import type { RouteModule } from './route';

/** A route with what the edge derives from its declaration once. */
export interface ServedRoute {
  readonly declaration: AnyRoute;
  /** Undefined where the requests are forwarded to the service of the declaration. */
  readonly handle: RouteModule['handle'] | undefined;
  /** Its body names a project, and no record that would say which. */
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
  /** What a 405 lists. */
  readonly allow: readonly string[];
}

/**
 * Binds declarations to handlers, by path; a declaration that names a service is forwarded and has none.
 * @throws Error naming every declared route without a handler, handler without a declaration, and double one: a start-up check
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

/** What is read by GET is read by HEAD (RFC 9110 section 9.3.2). */
const allowedOf = (methods: readonly string[]): string[] =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort();

/** Their owner answers any other project than the agent's with a 404, also one of another organization (docs/reference/variables-and-workflows.md#templates). */
const judgesProject: ReadonlySet<string> = new Set(['create-template-message']);

function served(declaration: AnyRoute, handle: ServedRoute['handle']): ServedRoute {
  const { body, query, byId, method } = declaration;
  // A write by id without a body of its own may repeat the workspace as any other.
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
