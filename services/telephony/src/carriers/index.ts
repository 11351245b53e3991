import { carrierNames, isAccountCarrier, type AccountCarrier, type CarrierName } from '@parley/contract';
import type { Carrier, CarrierOptions } from './carrier';
import { SimulatorCarrier } from './simulator/adapter';
import { twilio } from './twilio/adapter';

/** A carrier that organizations bring accounts of. */
interface AccountCarrierFolder {
  /** Its API, unless the installation names another address (<NAME>_API_URL). */
  readonly apiUrl: string;
  open(options: CarrierOptions): Carrier;
}

/** Each carrier that the contract declares has its folder here; without it this does not compile. */
const folders: Readonly<Record<AccountCarrier, AccountCarrierFolder>> = { twilio };

/** The address of each carrier's API by its name. */
export const carrierApiUrls = new Map<AccountCarrier, string>(
  carrierNames.filter(isAccountCarrier).map((name) => [name, folders[name].apiUrl]),
);

export type Carriers = Readonly<Record<CarrierName, Carrier>>;

export interface CarriersOptions extends Omit<CarrierOptions, 'apiUrl'> {
  readonly apiUrlOf: (name: AccountCarrier) => string;
  readonly simulatorDeliveryDelaySeconds: number;
}

/** The carriers by their names, which are providers of numbers. */
export function carriersOf({ apiUrlOf, simulatorDeliveryDelaySeconds, ...options }: CarriersOptions): Carriers {
  return Object.fromEntries(
    carrierNames.map((name): [CarrierName, Carrier] => [
      name,
      isAccountCarrier(name)
        ? folders[name].open({ ...options, apiUrl: apiUrlOf(name) })
        : new SimulatorCarrier(simulatorDeliveryDelaySeconds),
    ]),
  ) as Record<CarrierName, Carrier>;
}

export * from './carrier';
export { simulatedEnd } from './simulator/adapter';
export type { CallStatusReport, CarrierCallEnd, DeliveryReport, IncomingMessage } from './carrier-reports.rules';
export {
  bringsKeys,
  keysUrlOf,
  nextUrlOf,
  referenceOf,
  statusUrlOf,
  streamUrlOf,
  takesLines,
  takesLinesOf,
  transferOf,
} from './line-addresses';
export { type MessageProvider, isMessageProvider } from './message-providers.rules';
