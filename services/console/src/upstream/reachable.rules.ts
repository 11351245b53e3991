import { allRoutes, type AnyRoute } from '@parley/contract';

/** What pages have no use for: keys of sessions, whose token would be in the answer, and what is for workers, media gateways and carriers. */
const closed = /^\/v1\/(sessions|worker-jobs\/.*|gateway\/.*|carriers\/.*|component-credentials\/lease)$/;

const isForPeople = ({ path, audience }: AnyRoute): boolean =>
  !closed.test(path) && audience.some((kind) => kind === 'customer' || kind === 'operator');

const reachable = allRoutes.filter(isForPeople).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[A-Za-z0-9_.~+-]+')}$`),
}));

/**
 * Whether pages may ask for it: a route that the platform declares, for people.
 * @param path without a query, such as /v1/calls
 */
export const isReachable = (method: string, path: string): boolean =>
  reachable.some(
    (route) => (route.method === method || (method === 'HEAD' && route.method === 'GET')) && route.pattern.test(path),
  );
