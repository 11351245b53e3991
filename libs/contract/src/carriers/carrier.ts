import type { Class } from '../rules/class-facts';

/** What a carrier asks by itself. */
export type CarrierRouteName =
  'receiveCarrierCall' | 'receiveCarrierCallStatus' | 'receiveCarrierMessage' | 'receiveCarrierReport';

/** How the webhooks of a carrier are authenticated, in place of a key. */
export interface CarrierSignature {
  /** Its name among the security schemes of the OpenAPI document; carriers that sign alike share it. */
  readonly scheme: string;
  /** The header, as the carrier writes it. */
  readonly header: string;
  /** What every signature looks like; anything else is refused before its account is looked up. */
  readonly pattern: RegExp;
  readonly description: string;
}

/** What the contract has to know of a carrier. Its behaviour is the folder of the same name in telephony. */
export interface CarrierDeclaration {
  /** Organizations bring accounts of their own, by which its webhooks are authenticated and its messages go out. */
  readonly accounts: boolean;
  readonly signature: CarrierSignature;
  /** The form of each webhook that it sends. */
  readonly forms: Readonly<Partial<Record<CarrierRouteName, Class>>>;
}
