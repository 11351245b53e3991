/** Calls over SIP trunks, as Asterisk reports them. */
export { createSipController } from './sip-controller';
export { SipPeers } from './sip-peers';
