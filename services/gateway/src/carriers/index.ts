export { carrierRouters } from './carrier-webhooks';
