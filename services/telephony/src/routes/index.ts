/** The public routes of this service, by resource. */
export { callHandlers } from './calls';
export { campaignHandlers } from './campaigns';
export type { Served } from './group';
export { liveControlHandlers } from './live-control';
export { mediaGatewayHandlers } from './media-gateways';
export { messageHandlers } from './messages';
export { numberHandlers } from './numbers';
export { retentionHandlers } from './retention';
export { walletHandlers } from './wallet';
export { workerJobHandlers } from './worker-jobs';
