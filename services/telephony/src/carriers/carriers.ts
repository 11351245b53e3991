import type { TelephonyConfig } from '../config';
import type { MessageProvider } from '../domain/message';
import type { Carrier } from './carrier';
import { SimulatorCarrier } from './simulator';
import { TwilioCarrier } from './twilio';

export type Carriers = Readonly<Record<MessageProvider, Carrier>>;

/** The carriers of messages by the provider of a number. */
export function carriersOf(config: TelephonyConfig): Carriers {
  const { twilioApiUrl: apiUrl, carrierTimeoutMs: timeoutMs, publicUrl } = config;
  return {
    simulator: new SimulatorCarrier(config.simulatorReportSeconds),
    twilio: new TwilioCarrier({ apiUrl, publicUrl, timeoutMs }),
  };
}
