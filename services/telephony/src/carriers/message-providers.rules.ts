import { carrierNames, type CarrierName } from '@parley/contract';

/** Numbers of these providers can send and receive messages: those that a carrier serves. */
export type MessageProvider = CarrierName;

export const isMessageProvider = (provider: string): provider is MessageProvider =>
  carrierNames.some((known) => known === provider);
