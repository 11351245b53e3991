export * from './ari-client';
export * from './sip-settings';
