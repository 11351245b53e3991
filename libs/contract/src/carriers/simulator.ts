import type { CarrierDeclaration } from './carrier';
import { twilio } from './twilio';

const { receiveCarrierMessage, receiveCarrierReport } = twilio.forms;

/** The carrier of development and tests: it signs and writes its forms as a real one does, so that both take the same path. */
export const simulator = {
  accounts: false,
  signature: twilio.signature,
  forms: { receiveCarrierMessage, receiveCarrierReport },
} as const satisfies CarrierDeclaration;
