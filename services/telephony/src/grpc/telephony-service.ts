import { carrierHandlers } from './carrier-handlers';
import { campaignHandlers } from './campaign-handlers';
import { gatewayHandlers } from './gateway-handlers';
import { jobHandlers } from './job-handlers';
import { messageHandlers } from './message-handlers';
import type { Handled } from './handled';
import { TelephonyServiceService, type TelephonyServiceServer } from '@parley/proto/telephony';
import { grpcService, type GrpcService } from '@parley/runtime';

/** The gRPC face of this service. */
export function telephonyService(handled: Handled): GrpcService {
  return grpcService<TelephonyServiceServer>(TelephonyServiceService, {
    ...jobHandlers(handled),
    ...messageHandlers(handled),
    ...gatewayHandlers(handled),
    ...carrierHandlers(handled),
    ...campaignHandlers(handled),
  });
}
