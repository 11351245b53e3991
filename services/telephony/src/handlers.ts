import type { GrpcService } from '@parley/runtime';
import { publicService } from '@parley/service';
import { callHandlers } from './handlers/calls';
import { campaignHandlers } from './handlers/campaigns';
import type { Served } from './handlers/group';
import { mediaGatewayHandlers } from './handlers/media-gateways';
import { messageHandlers } from './handlers/messages';
import { numberHandlers } from './handlers/numbers';
import { retentionHandlers } from './handlers/retention';
import { liveControlHandlers } from './live-control';
import { walletHandlers } from './handlers/wallet';
import { workerJobHandlers } from './handlers/worker-jobs';

/** The public routes of this service. */
export function telephonyPublicService(served: Served): GrpcService {
  const { telephony } = served;
  return publicService('telephony', {
    ...walletHandlers(telephony),
    ...numberHandlers(telephony),
    ...callHandlers(telephony),
    ...messageHandlers(telephony),
    ...campaignHandlers(telephony),
    ...workerJobHandlers(served),
    ...liveControlHandlers(served),
    ...mediaGatewayHandlers(served),
    ...retentionHandlers(telephony),
  });
}
