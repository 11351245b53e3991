export { CarrierLimit } from './carrier-limit';
export { carrierRouters } from './carrier-webhooks';
