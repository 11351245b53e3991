/** The public routes of this service, by resource. Knows the whole `Telephony`. */

// The public routes of this service, by resource.
export { callHandlers } from './routes/calls';
export { campaignHandlers } from './routes/campaigns';
export type { Served, WholeTelephony } from './routes/group';
export { liveControlHandlers } from './routes/live-control';
export { mediaGatewayHandlers } from './routes/media-gateways';
export { messageHandlers } from './routes/messages';
export { numberHandlers } from './routes/numbers';
export { retentionHandlers } from './routes/retention';
export { walletHandlers } from './routes/wallet';
export { workerJobHandlers } from './routes/worker-jobs';
