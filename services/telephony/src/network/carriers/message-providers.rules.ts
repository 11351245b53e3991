import { carrierNames, type CarrierName } from '@parley/contract';

/** Providers whose numbers can send and receive messages, because they have a carrier adapter. */
export type MessageProvider = CarrierName;

export const isMessageProvider = (provider: string): provider is MessageProvider =>
  carrierNames.some((known) => known === provider);
