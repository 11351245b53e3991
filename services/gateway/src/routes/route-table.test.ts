import { allRoutes, routes, type AnyRoute } from '@parley/contract';
import type { RouteModule } from './route';
import { routeTable } from './route-table';
import { routeModules } from './route-modules';

const handle: RouteModule['handle'] = async () => ({ body: '{}' });

/** The route declared without a service, so that it needs a handler in the gateway. */
const handled = (route: AnyRoute): AnyRoute => ({ ...route, service: undefined });

describe('route table', () => {
  it('contains every declared route', () => {
    const table = routeTable(routeModules, allRoutes);
    const bound = table.flatMap(({ path, methods }) =>
      [...methods].map(([method, { declaration }]) => [method, path, declaration.id]),
    );
    expect(bound.sort()).toEqual(allRoutes.map(({ method, path, id }) => [method, path, id]).sort());
  });

  it('refuses a declared route without a handler, a handler without a declaration, and two handlers, and names them', () => {
    const [list, create] = [handled(routes.listAgents), handled(routes.createAgent)];
    const some = [{ declaration: list, handle }];
    expect(() => routeTable(some, [list, create])).toThrow(/create-agent/);
    expect(() => routeTable(some, [])).toThrow(/list-agents/);
    expect(() => routeTable([...some, ...some], [list])).toThrow(/list-agents/);
    expect(() => routeTable(some, [list, { ...create, id: 'x', path: '/x' }])).toThrow(/x/);
  });

  it('refuses a handler for a route that is forwarded to a service', () => {
    const { listAgents } = routes;
    expect(() => routeTable([{ declaration: listAgents, handle }], [listAgents])).toThrow(/list-agents/);
  });

  it.each([
    [routes.createAgent, true, false, false],
    [routes.createNumber, true, false, false],
    [routes.listAgents, false, false, true],
    [routes.updateAgent, false, true, false],
    [routes.updateNumber, false, true, false],
    [routes.createProject, false, false, false],
    [routes.cancelCall, false, true, false],
    [routes.getAgent, false, false, false],
  ])('knows whether project_id is in the body or the query: $id', (route, inBody, repeated, inQuery) => {
    const declaration = handled(route);
    const [entry] = routeTable([{ declaration, handle }], [declaration]);
    expect([...(entry?.methods.values() ?? [])]).toMatchObject([
      { bodyNamesProject: inBody, bodyRepeatsProject: repeated, queryNamesProject: inQuery },
    ]);
  });
});
