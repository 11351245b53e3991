export { RequestPipeline } from './request-pipeline';
export type { PublicClients } from './forward';
export { refuseNewWork } from './maintenance';
export { resourceRouters } from './resource-routers';
export { routeModules } from './route-modules';
export { routeTable, type ServedRoute } from './route-table';
