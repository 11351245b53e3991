import type { Class } from '../rules/class-facts';

/** The names of the webhook routes for carriers. */
export type CarrierRouteName =
  'receiveCarrierCall' | 'receiveCarrierCallStatus' | 'receiveCarrierMessage' | 'receiveCarrierReport';

/** How a carrier's webhooks are authenticated; they use no API key. */
export interface CarrierSignature {
  /** Its name in the security schemes of the OpenAPI document. Carriers with the same signature scheme share it. */
  readonly scheme: string;
  /** The name of the header, in the carrier's spelling. */
  readonly header: string;
  /** The format of a valid signature; anything else is refused before the account is looked up. */
  readonly pattern: RegExp;
  readonly description: string;
}

/** The contract's declaration of a carrier. Its implementation is in the telephony folder of the same name. */
export interface CarrierDeclaration {
  /** Whether organizations use their own accounts, which authenticate the webhooks and send the messages. */
  readonly accounts: boolean;
  readonly signature: CarrierSignature;
  /** The form of each webhook that the carrier sends. */
  readonly forms: Readonly<Partial<Record<CarrierRouteName, Class>>>;
}
