import type { CarrierDeclaration } from './carrier';
import { twilio } from './twilio';

const { receiveCarrierMessage, receiveCarrierReport } = twilio.forms;

/** The carrier for development and tests. It signs and formats its webhooks like a real carrier, so that both use the same code. */
export const simulator = {
  accounts: false,
  signature: twilio.signature,
  forms: { receiveCarrierMessage, receiveCarrierReport },
} as const satisfies CarrierDeclaration;
