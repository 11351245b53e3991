import type { CarrierDeclaration, CarrierRouteName } from './carrier';
import { simulator } from './simulator';
import { twilio } from './twilio';

/** All carriers. Routes, schemas, the providers of numbers and messages, and the folders in telephony follow from this list. */
export const carriers = { twilio, simulator } as const satisfies Record<string, CarrierDeclaration>;

export type CarrierName = keyof typeof carriers;
/** Carriers at which organizations may have their own account. */
export type AccountCarrier = {
  [Name in CarrierName]: (typeof carriers)[Name]['accounts'] extends true ? Name : never;
}[CarrierName];

export const carrierNames = Object.keys(carriers) as readonly CarrierName[];

export const isAccountCarrier = (name: string): name is AccountCarrier =>
  carrierNames.some((known) => known === name && carriers[known].accounts);

export const accountCarriers: readonly AccountCarrier[] = carrierNames.filter(isAccountCarrier);

/**
 * Providers of numbers whose calls the platform places and answers itself, and whose streams workers adopt: carriers with accounts, and SIP trunks, which send
 * no messages and no webhooks.
 */
export type LineCarrier = AccountCarrier | 'sip_trunk';
export const lineCarriers: readonly LineCarrier[] = [...accountCarriers, 'sip_trunk'];
export const isLineCarrier = (name: string): name is LineCarrier => lineCarriers.some((known) => known === name);

/** The carriers that send a webhook, with its form for each. */
export function formsOf(
  name: CarrierRouteName,
): ReadonlyMap<CarrierName, NonNullable<CarrierDeclaration['forms'][CarrierRouteName]>> {
  const declarations: readonly (readonly [CarrierName, CarrierDeclaration])[] = carrierNames.map(
    (carrier) => [carrier, carriers[carrier]] as const,
  );
  return new Map(
    declarations.flatMap(([carrier, { forms }]) => {
      const form = forms[name];
      return form === undefined ? [] : [[carrier, form] as const];
    }),
  );
}

export * from './carrier';
export * from './twilio';
