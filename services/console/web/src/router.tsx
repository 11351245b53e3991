import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { NotFound, PageFailure } from './shell/not-found';
import { Root } from './shell/root';
import { analyticsSearch } from './pages/analytics/analytics-search';
import { callSearch } from './pages/calls/call-filters';
import { credentialSearch } from './pages/credentials/credential-search';
import { suiteSearch } from './pages/simulation/suite-search';
import { deliverySearch } from './pages/webhook/delivery-search';

const rootRoute = createRootRoute({ component: Root, notFoundComponent: NotFound, errorComponent: PageFailure });

const indexRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/',
  beforeLoad: () => {
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- how the router is asked to go elsewhere
    throw redirect({ to: '/calls' });
  },
});

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/start',
  component: lazyRouteComponent(() => import('./pages/start/start-page')),
});

export const callsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls',
  validateSearch: callSearch,
  component: lazyRouteComponent(() => import('./pages/calls/calls-page')),
});

export const callRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/calls/$callId',
  validateSearch: (search: Record<string, unknown>): { tab?: 'events' | 'policy' | 'details' } => {
    const { tab } = search;
    return tab === 'events' || tab === 'policy' || tab === 'details' ? { tab } : {};
  },
  component: lazyRouteComponent(() => import('./pages/call/call-page')),
});

const agentsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents',
  validateSearch: ({ name }: Record<string, unknown>): { name?: string } =>
    (typeof name === 'string' && name !== '') || typeof name === 'number' ? { name: String(name) } : {},
  component: lazyRouteComponent(() => import('./pages/agents/agents-page')),
});

const agentRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/agents/$agentId',
  validateSearch: ({ tab }: Record<string, unknown>): { tab?: 'history' } => (tab === 'history' ? { tab } : {}),
  component: lazyRouteComponent(() => import('./pages/agent/agent-page')),
});

const liveRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/live',
  component: lazyRouteComponent(() => import('./pages/live/live-page')),
});

const keysRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/keys',
  component: lazyRouteComponent(() => import('./pages/keys/keys-page')),
});

const numbersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/numbers',
  validateSearch: ({ trunk }: Record<string, unknown>): { trunk?: string } =>
    typeof trunk === 'string' && trunk !== '' ? { trunk } : {},
  component: lazyRouteComponent(() => import('./pages/numbers/numbers-page')),
});

const trunksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/trunks',
  component: lazyRouteComponent(() => import('./pages/trunks/trunks-page')),
});

const credentialsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/credentials',
  validateSearch: credentialSearch,
  component: lazyRouteComponent(() => import('./pages/credentials/credentials-page')),
});

const simulationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/simulations',
  validateSearch: ({ agent }: Record<string, unknown>): { agent?: string } =>
    typeof agent === 'string' && agent !== '' ? { agent } : {},
  component: lazyRouteComponent(() => import('./pages/simulations/simulations-page')),
});

const suiteRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/simulations/$suiteId',
  validateSearch: suiteSearch,
  component: lazyRouteComponent(() => import('./pages/simulation/suite-page')),
});

const analyticsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/analytics',
  validateSearch: analyticsSearch,
  component: lazyRouteComponent(() => import('./pages/analytics/analytics-page')),
});

const webhooksRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page')),
});

const webhookRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/webhooks/$endpointId',
  validateSearch: deliverySearch,
  component: lazyRouteComponent(() => import('./pages/webhook/webhook-page')),
});

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    indexRoute,
    startRoute,
    callsRoute,
    callRoute,
    liveRoute,
    agentsRoute,
    agentRoute,
    simulationsRoute,
    suiteRoute,
    analyticsRoute,
    webhooksRoute,
    webhookRoute,
    numbersRoute,
    trunksRoute,
    credentialsRoute,
    keysRoute,
  ]),
  basepath: '/console',
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
