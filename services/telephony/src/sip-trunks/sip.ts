import type { AddressPolicy } from '@parley/service';
import type { CarrierLines } from '../carriers';

/** What the installation has of SIP. */
export interface Sip {
  /** Where the peers of trunks may lie. */
  readonly policy: AddressPolicy;
  /** Calls over trunks; undefined: no Asterisk is configured. */
  readonly lines: CarrierLines | undefined;
}
