import { allRoutes, routes } from '@parley/contract';
import type { RouteModule } from './route';
import { routeTable } from './route-table';
import { routeModules } from './routes';

const handle: RouteModule['handle'] = async () => ({ body: '{}' });

describe('route table', () => {
  it('binds every declared route', () => {
    const table = routeTable(routeModules, allRoutes);
    const bound = table.flatMap(({ path, methods }) =>
      [...methods].map(([method, { declaration }]) => [method, path, declaration.id]),
    );
    expect(bound.sort()).toEqual(allRoutes.map(({ method, path, id }) => [method, path, id]).sort());
  });

  it('names every declared route without a handler, and every handler without a declaration', () => {
    const some = [{ declaration: routes.listAgents, handle }];
    expect(() => routeTable(some, [routes.listAgents, routes.createAgent])).toThrow(/create-agent/);
    expect(() => routeTable(some, [])).toThrow(/list-agents/);
    expect(() => routeTable([...some, ...some], [routes.listAgents])).toThrow(/list-agents/);
    expect(() => routeTable(some, [routes.listAgents, { ...routes.createAgent, id: 'x', path: '/x' }])).toThrow(/x/);
  });

  it.each([
    [routes.createAgent, true, false, false],
    [routes.createNumber, true, false, false],
    [routes.listAgents, false, false, true],
    [routes.updateAgent, false, true, false],
    [routes.updateNumber, false, true, false],
    [routes.createProject, false, false, false],
    [routes.getAgent, false, false, false],
  ])('knows where a project is named: $id', (declaration, inBody, repeated, inQuery) => {
    const modules = declaration.service === undefined ? [{ declaration, handle }] : [];
    const [entry] = routeTable(modules, [declaration]);
    expect([...(entry?.methods.values() ?? [])]).toMatchObject([
      { bodyNamesProject: inBody, bodyRepeatsProject: repeated, queryNamesProject: inQuery },
    ]);
  });
});
