import type { Class } from '../rules/class-facts';

/** The webhook routes of carriers. */
export type CarrierRouteName =
  'receiveCarrierCall' | 'receiveCarrierCallStatus' | 'receiveCarrierMessage' | 'receiveCarrierReport';

/** How the webhooks of a carrier are authenticated, instead of by key. */
export interface CarrierSignature {
  /** Its name among the security schemes of the OpenAPI document; carriers with the same signature scheme share it. */
  readonly scheme: string;
  /** The header, in the carrier's spelling. */
  readonly header: string;
  /** The format of every signature; anything else is refused before its account is looked up. */
  readonly pattern: RegExp;
  readonly description: string;
}

/** The contract's declaration of a carrier. Its behaviour is in the telephony folder of the same name. */
export interface CarrierDeclaration {
  /** Organizations bring their own accounts, which authenticate its webhooks and send its messages. */
  readonly accounts: boolean;
  readonly signature: CarrierSignature;
  /** The form of each webhook that it sends. */
  readonly forms: Readonly<Partial<Record<CarrierRouteName, Class>>>;
}
