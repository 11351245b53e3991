import { carrierNames, isAccountCarrier, type AccountCarrier, type CarrierName } from '@parley/contract';
import type { Carrier, CarrierOptions, Carriers } from './carrier';
import { SimulatorCarrier } from './simulator/adapter';
import { twilio } from './twilio/adapter';

/** A carrier for which organizations bring their own accounts. */
interface AccountCarrierFolder {
  /** The default address of its API; <NAME>_API_URL overrides it. */
  readonly apiUrl: string;
  open(options: CarrierOptions): Carrier;
}

/** The type enforces a folder for each carrier that the contract declares. */
const folders: Readonly<Record<AccountCarrier, AccountCarrierFolder>> = { twilio };

/** The API address of each carrier. */
export const carrierApiUrls = new Map<AccountCarrier, string>(
  carrierNames.filter(isAccountCarrier).map((name) => [name, folders[name].apiUrl]),
);

export interface CarriersOptions extends Omit<CarrierOptions, 'apiUrl'> {
  readonly apiUrlOf: (name: AccountCarrier) => string;
  readonly simulatorDeliveryDelaySeconds: number;
}

/** The carriers by name. A carrier's name is also the provider of its numbers. */
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
