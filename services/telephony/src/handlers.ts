import type { GrpcService } from '@parley/runtime';
import { publicService } from '@parley/service';
import type { Handled } from './grpc/handled';
import { callHandlers } from './handlers/calls';
import { campaignHandlers } from './handlers/campaigns';
import { messageHandlers } from './handlers/messages';
import { numberHandlers } from './handlers/numbers';
import { walletHandlers } from './handlers/wallet';

/** The public routes of this service. */
export function telephonyPublicService({ telephony }: Handled): GrpcService {
  return publicService('telephony', {
    ...walletHandlers(telephony),
    ...numberHandlers(telephony),
    ...callHandlers(telephony),
    ...messageHandlers(telephony),
    ...campaignHandlers(telephony),
  });
}
