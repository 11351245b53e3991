import type { CarrierOptions } from '../carrier';
import { TwilioCarrier } from './api';

export const twilio = {
  apiUrl: 'https://api.twilio.com',
  open: (options: CarrierOptions) => new TwilioCarrier(options),
};

export { twilioProtocol } from './api';
