import { allRoutes, sampleOf, type AnyRoute } from '@parley/contract';
import { newId, type IdPrefix } from '@parley/runtime';
import { organization, project } from './fake-services';
import type { RequestOptions } from './test-gateway';

const prefixes: Record<string, IdPrefix> = {
  template_id: 'tpl',
  agent_id: 'agt',
  project_id: 'prj',
  component_credential_id: 'cred',
  carrier_credential_id: 'cred',
  agent_endpoint_id: 'ep',
  delivery_id: 'dlv',
  key_id: 'key',
  gateway_token_id: 'key',
  operator_key_id: 'key',
  number_id: 'num',
  call_id: 'call',
  message_id: 'msg',
  top_up_id: 'top',
  job_id: 'job',
  campaign_id: 'cmp',
  attempt_id: 'att',
  import_id: 'imp',
  connection_id: 'con',
};

/** The declared path with an id in each place. */
export function pathOf(route: AnyRoute, ids: Readonly<Record<string, string>> = {}): string {
  return route.path.replace(/\{(\w+)\}/g, (_match, name: string) => {
    const prefix = prefixes[name];
    return ids[name] ?? (prefix === undefined ? organization : newId(prefix));
  });
}

/** A sample body with the organization and project that the fake services know. */
const inWorkspace = (body: Record<string, unknown>): Record<string, unknown> => ({
  ...body,
  ...('organization_id' in body ? { organization_id: organization } : {}),
  ...('project_id' in body ? { project_id: project } : {}),
});

/** A request that the route accepts. */
export function requestOf(route: AnyRoute): RequestOptions {
  if (route.body !== undefined) return { body: inWorkspace(sampleOf(route.body)) };
  // The media type has to be sent only if the route accepts several.
  const [type, another] = route.upload ?? [];
  return type === undefined || another === undefined ? {} : { headers: { 'content-type': type }, body: 'text' };
}

/** Every declared route, for `it.each`. */
export const declared: [string, AnyRoute][] = allRoutes.map((route) => [`${route.method} ${route.path}`, route]);
