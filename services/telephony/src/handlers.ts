import type { GrpcService } from '@parley/runtime';
import { publicService } from '@parley/service';
import {
  callHandlers,
  campaignHandlers,
  type Served,
  liveControlHandlers,
  mediaGatewayHandlers,
  messageHandlers,
  numberHandlers,
  retentionHandlers,
  walletHandlers,
  workerJobHandlers,
} from './face';

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
